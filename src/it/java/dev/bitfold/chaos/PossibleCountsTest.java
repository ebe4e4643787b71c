package dev.bitfold.chaos;

import static dev.bitfold.chaos.ReachableTest.FACT;
import static dev.bitfold.chaos.ReachableTest.like;
import static dev.bitfold.chaos.ReachableTest.unlike;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.Operation.Outcome;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which readings the chaos run takes for possible. */
class PossibleCountsTest {

  private final PossibleCounts counts = new PossibleCounts(List.of());

  private static final OptionalLong NEVER = OptionalLong.empty();
  private static final OptionalLong NOW = OptionalLong.of(0);

  private OptionalLong age(long count, long sent, long ended) {
    return counts.age(new Reading(FACT.total(), count, false, sent, ended));
  }

  @Test
  void a_counter_lags_and_is_never_ahead() {
    counts.add(true, List.of());
    counts.add(false, List.of(like(100, Outcome.CHANGED)));
    counts.complete();
    assertThat(age(1, 50, 60)).isEqualTo(NOW);
    assertThat(age(2, 50, 99)).as("before the like was sent").isEqualTo(NEVER);
    assertThat(age(2, 100, 102)).isEqualTo(NOW);
    assertThat(age(1, 500, 510)).as("the counter lags").hasValue(500 - 105);
    assertThat(age(3, 500, 510)).isEqualTo(NEVER);
    assertThat(age(0, 500, 510)).as("zero for what is there").isEqualTo(NEVER);
    assertThat(age(-1, 500, 510)).isEqualTo(NEVER);
  }

  @Test
  void what_was_so_between_request_and_answer_has_no_age() {
    counts.add(false, List.of(like(100, Outcome.CHANGED)));
    counts.complete();
    assertThat(age(0, 103, 110)).isEqualTo(NOW);
    assertThat(age(1, 103, 110)).isEqualTo(NOW);
    assertThat(age(0, 106, 110)).hasValue(1);
  }

  @Test
  void what_was_not_answered_may_count_from_then_on() {
    counts.add(false, List.of(like(100, Outcome.UNKNOWN), unlike(200, Outcome.CHANGED)));
    counts.complete();
    assertThat(age(1, 50, 60)).isEqualTo(NEVER);
    assertThat(age(1, 150, 160)).isEqualTo(NOW);
    assertThat(age(0, 150, 160)).isEqualTo(NOW);
    assertThat(age(1, 300, 310)).as("it may happen late").isEqualTo(NOW);
  }

  @Test
  void what_was_refused_never_counts() {
    counts.add(false, List.of(like(100, Outcome.REFUSED)));
    counts.complete();
    assertThat(age(1, 200, 210)).isEqualTo(NEVER);
  }

  @Test
  void after_a_loss_late_answers_may_not_count() {
    PossibleCounts lossy = new PossibleCounts(List.of(new Loss(100, 200, 300, false)));
    lossy.add(false, List.of(like(20, Outcome.CHANGED)));
    lossy.add(false, List.of(like(150, Outcome.CHANGED)));
    lossy.complete();
    assertThat(lossy.age(new Reading(FACT.total(), 1, false, 250, 260))).isEqualTo(NOW);
    assertThat(lossy.age(new Reading(FACT.total(), 2, false, 250, 260))).isEqualTo(NOW);
    assertThat(lossy.age(new Reading(FACT.total(), 3, false, 250, 260))).isEqualTo(NEVER);
  }
}
