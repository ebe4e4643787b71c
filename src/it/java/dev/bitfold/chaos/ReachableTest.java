package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.Operation.Outcome;
import dev.bitfold.metric.Entity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the chaos run takes for possible, and what not. */
class ReachableTest {

  static final Fact FACT = new Fact(1, new Entity("post", "1"), "like");

  static Operation like(long sent, Outcome outcome) {
    return new Operation(FACT, true, sent, sent + 5, outcome, "");
  }

  static Operation unlike(long sent, Outcome outcome) {
    return new Operation(FACT, false, sent, sent + 5, outcome, "");
  }

  private static boolean possible(boolean found, Operation... operations) {
    return new Reachable(false, List.of(operations), List.of()).check(found).isEmpty();
  }

  @Test
  void an_answered_like_is_there() {
    assertThat(possible(true, like(10, Outcome.CHANGED))).isTrue();
    assertThat(possible(false, like(10, Outcome.CHANGED))).isFalse();
    assertThat(possible(true)).isFalse();
  }

  @Test
  void an_answer_tells_how_it_was_before() {
    assertThat(possible(true, like(10, Outcome.UNCHANGED))).isFalse();
    assertThat(possible(true, like(10, Outcome.CHANGED), like(20, Outcome.CHANGED))).isFalse();
    assertThat(possible(true, like(10, Outcome.CHANGED), like(20, Outcome.UNCHANGED))).isTrue();
  }

  @Test
  void what_was_not_answered_may_happen_once_at_any_later_time() {
    Operation lost = unlike(20, Outcome.UNKNOWN);
    assertThat(possible(true, like(10, Outcome.CHANGED), lost)).isTrue();
    assertThat(possible(false, like(10, Outcome.CHANGED), lost)).isTrue();
    assertThat(possible(false, like(10, Outcome.CHANGED), lost, like(30, Outcome.UNCHANGED)))
        .isTrue();
    assertThat(possible(false, like(10, Outcome.CHANGED), lost, like(30, Outcome.CHANGED)))
        .as("it has happened before")
        .isFalse();
    assertThat(possible(true, unlike(5, Outcome.UNKNOWN), like(10, Outcome.UNCHANGED)))
        .as("an unlike explains no like")
        .isFalse();
    assertThat(possible(true, like(10, Outcome.UNCHANGED), like(20, Outcome.UNKNOWN)))
        .as("it was sent too late to explain the answer")
        .isFalse();
  }

  @Test
  void what_was_refused_never_happens() {
    assertThat(possible(true, like(10, Outcome.REFUSED))).isFalse();
  }

  @Test
  void a_loss_takes_back_only_what_was_answered_lately() {
    Operation like = like(100, Outcome.CHANGED);
    assertThat(lossy(false, new Loss(100, 200, 300, false), like)).isTrue();
    assertThat(lossy(true, new Loss(100, 200, 300, false), like)).isTrue();
    assertThat(lossy(false, new Loss(106, 200, 300, false), like)).isFalse();
    assertThat(lossy(false, new Loss(100, 102, 103, false), like))
        .as("done before the loss and answered after it")
        .isTrue();
    assertThat(lossy(false, new Loss(100, 200, 300, false), like, like(400, Outcome.CHANGED)))
        .as("answered after the loss")
        .isFalse();
    assertThat(lossy(true, new Loss(100, 200, 300, false), like, like(400, Outcome.CHANGED)))
        .isTrue();
    assertThat(
            lossy(
                false,
                new Loss(100, 200, 300, false),
                like(100, Outcome.REFUSED),
                like(50, Outcome.CHANGED)))
        .isFalse();
  }

  @Test
  void a_loss_falls_back_only_to_what_was_or_was_wanted() {
    Loss loss = new Loss(100, 200, 300, false);
    Operation early = like(20, Outcome.CHANGED);
    assertThat(lossy(false, loss, early, like(250, Outcome.UNKNOWN)))
        .as("nobody ever wanted it gone")
        .isFalse();
    assertThat(lossy(true, loss, early, like(250, Outcome.UNKNOWN))).isTrue();
    assertThat(lossy(false, loss, early, unlike(150, Outcome.CHANGED), like(160, Outcome.CHANGED)))
        .as("the unlike survived, the like did not")
        .isTrue();
  }

  private static boolean lossy(boolean found, Loss loss, Operation... operations) {
    return new Reachable(false, List.of(operations), List.of(loss)).check(found).isEmpty();
  }
}
