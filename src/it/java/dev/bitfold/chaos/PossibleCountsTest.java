package dev.bitfold.chaos;

import static dev.bitfold.chaos.ReachableTest.FACT;
import static dev.bitfold.chaos.ReachableTest.like;
import static dev.bitfold.chaos.ReachableTest.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.Operation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which readings the chaos run takes for possible. */
class PossibleCountsTest {

  private final PossibleCounts counts = new PossibleCounts(List.of());

  private boolean possible(long count, boolean exact, long sent, long ended) {
    return counts.check(new Reading(FACT.total(), count, exact, sent, ended)).isEmpty();
  }

  @Test
  void a_counter_lags_and_is_never_ahead() {
    counts.add(true, List.of());
    counts.add(false, List.of(like(100, Outcome.CHANGED)));
    counts.complete();
    assertThat(possible(1, false, 50, 60)).isTrue();
    assertThat(possible(2, false, 50, 99)).as("before the like was sent").isFalse();
    assertThat(possible(2, false, 100, 102)).isTrue();
    assertThat(possible(1, false, 500, 510)).as("the counter lags").isTrue();
    assertThat(possible(3, false, 500, 510)).isFalse();
    assertThat(possible(0, false, 500, 510)).as("zero for what is there").isFalse();
    assertThat(possible(-1, false, 500, 510)).isFalse();
  }

  @Test
  void an_exact_count_does_not_lag() {
    counts.add(false, List.of(like(100, Outcome.CHANGED)));
    counts.complete();
    assertThat(possible(0, true, 103, 110)).isTrue();
    assertThat(possible(1, true, 103, 110)).isTrue();
    assertThat(possible(0, true, 106, 110)).isFalse();
  }

  @Test
  void what_was_not_answered_may_count_from_then_on() {
    counts.add(false, List.of(like(100, Outcome.UNKNOWN), unlike(200, Outcome.CHANGED)));
    counts.complete();
    assertThat(possible(1, true, 50, 60)).isFalse();
    assertThat(possible(1, true, 150, 160)).isTrue();
    assertThat(possible(0, true, 150, 160)).isTrue();
    assertThat(possible(1, true, 300, 310)).as("it may happen late").isTrue();
  }

  @Test
  void what_was_refused_never_counts() {
    counts.add(false, List.of(like(100, Outcome.REFUSED)));
    counts.complete();
    assertThat(possible(1, false, 200, 210)).isFalse();
  }

  @Test
  void after_a_loss_late_answers_may_not_count() {
    PossibleCounts lossy = new PossibleCounts(List.of(new Loss(100, 200, 300)));
    lossy.add(false, List.of(like(20, Outcome.CHANGED)));
    lossy.add(false, List.of(like(150, Outcome.CHANGED)));
    lossy.complete();
    assertThat(lossy.check(new Reading(FACT.total(), 1, false, 250, 260))).isEmpty();
    assertThat(lossy.check(new Reading(FACT.total(), 2, false, 250, 260))).isEmpty();
    assertThat(lossy.check(new Reading(FACT.total(), 3, false, 250, 260))).isPresent();
  }
}
