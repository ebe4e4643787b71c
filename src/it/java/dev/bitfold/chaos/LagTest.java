package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.chaos.Faults.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How old a count the chaos run accepts. */
class LagTest {

  private static final long SECOND = 1_000_000;

  private static Span span(long begin, long end) {
    return new Span(FaultKind.KAFKA_KILLED, begin, end, true);
  }

  private static long allowed(long sent, boolean exact, List<Span> faults, List<Loss> losses) {
    Injuries injuries = new Injuries(faults, losses, List.of(), List.of());
    Reading reading = new Reading(ReachableTest.FACT.total(), 1, exact, sent, sent + 1);
    return new Lag(injuries).allowed(reading);
  }

  @Test
  void without_a_fault_it_is_what_is_stated() {
    assertThat(allowed(100 * SECOND, false, List.of(), List.of())).isEqualTo(Lag.STATED);
  }

  @Test
  void a_fault_under_way_is_waited_for() {
    List<Span> fault = List.of(span(90 * SECOND, 110 * SECOND));
    assertThat(allowed(100 * SECOND, false, fault, List.of())).isEqualTo(10 * SECOND + Lag.STATED);
    assertThat(allowed(80 * SECOND, false, fault, List.of())).isEqualTo(Lag.STATED);
  }

  @Test
  void a_fault_beside_the_pipeline_explains_nothing() {
    List<Span> fault =
        List.of(new Span(FaultKind.POSTGRES_KILLED, 90 * SECOND, 110 * SECOND, true));
    assertThat(allowed(100 * SECOND, false, fault, List.of())).isEqualTo(Lag.STATED);
  }

  @Test
  void a_fault_long_over_explains_nothing() {
    List<Span> fault = List.of(span(10 * SECOND, 20 * SECOND));
    assertThat(allowed(100 * SECOND, false, fault, List.of())).isEqualTo(Lag.STATED);
  }

  @Test
  void faults_that_follow_each_other_count_from_the_first() {
    List<Span> faults = List.of(span(80 * SECOND, 92 * SECOND), span(90 * SECOND, 95 * SECOND));
    assertThat(allowed(100 * SECOND, false, faults, List.of())).isEqualTo(20 * SECOND + Lag.STATED);
  }

  @Test
  void an_exact_count_is_of_now_unless_redis_came_back_older() {
    assertThat(allowed(100, true, List.of(span(0, 200)), List.of())).isZero();
    assertThat(allowed(100, true, List.of(), List.of(new Loss(50, 60, 70, false)))).isPositive();
    assertThat(allowed(50, true, List.of(), List.of(new Loss(50, 60, 70, false)))).isZero();
    assertThat(allowed(100 * SECOND, true, List.of(), List.of(new Loss(50, 60, 70, false))))
        .isZero();
  }
}
