package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.PackagedService;
import org.junit.jupiter.api.Test;

/**
 * Plays a chaos run: {@code -Dchaos.form=} short (default), long or soak, {@code -Dchaos.faults=}
 * how many faults, {@code -Dchaos.durability=} fast (default) or durable, {@code -Dseed=}.
 */
class ChaosIT {

  /** How much more memory may be in use at the end of a soak than at its beginning. */
  private static final double FLAT = 1.15;

  @Test
  void nothing_is_lost_nothing_is_counted_twice_whatever_dies() {
    String given = System.getProperty("seed", "");
    long seed = given.isEmpty() ? System.nanoTime() % 1_000_000_000 : Long.parseLong(given);
    String durability = System.getProperty("chaos.durability", "fast");
    ChaosForm form = ChaosForm.asked();
    try (ChaosRun run = new ChaosRun(PackagedService.jar(), seed, form, durability)) {
      ChaosReport report = run.run();
      report.write();
      assertThat(report.violations()).as("-Dseed=%d", seed).isEmpty();
      if (form.complete()) { // fewer faults than kinds only repeat something, and prove nothing
        assertThat(report.kinds())
            .as("a kind of fault that met nothing to harm proves nothing")
            .containsAll(form.kinds());
        assertThat(report.branches())
            .as("a run in which a branch never happened proves nothing")
            .containsAll(form.branches());
      }
      if (form.soak()) {
        assertThat(report.growth())
            .as("growth of service and Redis")
            .allSatisfy(growth -> assertThat(growth).isLessThan(FLAT));
      }
    }
  }
}
