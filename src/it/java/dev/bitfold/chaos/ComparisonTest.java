package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.AuditTrail.Line;
import dev.bitfold.chaos.Faults.Injuries;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which readings the chaos run holds against nobody. */
class ComparisonTest {

  private static final Fact.Total TOTAL = ReachableTest.FACT.total();
  private static final long MILLISECOND = 1000;

  private static final Damage FLIP =
      new Damage(
          TOTAL.entity(), Damage.Kind.FLIPPED, 10 * MILLISECOND, 20 * MILLISECOND, List.of(1L, 0L));

  @Test
  void a_damaged_counter_misleads_until_it_was_certainly_corrected() {
    assertThat(misled(5 * MILLISECOND, 100 * MILLISECOND)).as("before the damage").isFalse();
    assertThat(misled(30 * MILLISECOND, 100 * MILLISECOND)).isTrue();
    assertThat(misled(30 * MILLISECOND, 25 * MILLISECOND)).isFalse();
    assertThat(misled(30 * MILLISECOND, 15 * MILLISECOND))
        .as("a correction that may have been before the damage")
        .isTrue();
    assertThat(misled(25 * MILLISECOND + 1, 25 * MILLISECOND))
        .as("a line tells whole milliseconds")
        .isTrue();
  }

  private static boolean misled(long sent, long corrected) {
    return Comparison.misled(
        new Reading(TOTAL, 1, false, sent, sent + 1),
        new Injuries(List.of(), List.of(), List.of(FLIP), List.of()),
        List.of(new Line(1, TOTAL.entity(), "drift", corrected)));
  }
}
