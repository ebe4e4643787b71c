package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.OpenScript.Opening;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.TestRedis;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class OpenScriptIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);
  private final LaneRig later =
      new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());

  @Test
  void claimed_lane_opens_in_its_epoch_and_goes_on_where_the_recovery_has_read_to() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    later.claim.run(LaneRig.LANE, 4, LaneRig.TOPIC);
    assertThat(later.open.run(LaneRig.LANE, 4, 1, LaneRig.TOPIC, 7, 1)).isEqualTo(Opening.OPEN);
    assertThat(view.lane())
        .isEqualTo(
            Map.of(
                "open", "life-2",
                "epoch", "4",
                "seq", "1",
                "topic", LaneRig.TOPIC,
                "offset", "7",
                "folded", "1",
                "claimed", "4"));
    assertThat(later.toggle(POST, LaneRig.LIKE, 2, true).epoch()).isEqualTo(4);
  }

  @Test
  void lane_that_never_was_opens_with_nothing() {
    TestRedis.empty();
    later.claim.run(LaneRig.LANE, 1, LaneRig.TOPIC);
    assertThat(later.open.run(LaneRig.LANE, 1, 0, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.OPEN);
    assertThat(later.toggle(POST, LaneRig.LIKE, 2, true).seq()).isEqualTo(1);
  }

  @Test
  void offset_of_another_topic_is_forgotten() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertThat(later.open.run(LaneRig.LANE, 2, 1, "topic-2", 0, 0)).isEqualTo(Opening.OPEN);
    assertThat(view.lane()).containsEntry("offset", "0").containsEntry("topic", "topic-2");
    assertThat(rig.folded()).isEqualTo(1);
  }

  /** The state is older than what was folded; the outbox has the rest. */
  @Test
  void what_another_life_has_folded_is_remembered_until_this_one_has() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 2, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    later.open.run(LaneRig.LANE, 2, 2, LaneRig.TOPIC, 0, 1);
    assertThat(later.claim.run(LaneRig.LANE, 3, "topic-2"))
        .isEqualTo(new Claim.Claimed(2, 2, 1, 0, LaneRig.TOPIC, 2, 2));
    later.open.run(LaneRig.LANE, 3, 2, LaneRig.TOPIC, 0, 1);
    later.foldAll(0);
    assertThat(later.claim.run(LaneRig.LANE, 4, "topic-2"))
        .isEqualTo(new Claim.Claimed(3, 2, 2, 2, LaneRig.TOPIC, 3, 2));
  }

  @Test
  void lost_claim_opens_nothing() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    later.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC);
    assertRefused(later, 2, 0);
  }

  @Test
  void lane_without_a_claim_stays_closed() {
    assertRefused(later, 2, 0);
  }

  @Test
  void claim_of_another_life_opens_nothing() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertRefused(new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity()), 2, 0);
  }

  @Test
  void marker_for_another_seq_opens_nothing() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertRefused(later, 2, 0);
    later.reapply.run(
        LaneRig.LANE, 2, 1, 0, List.of(new Event(1, LaneRig.LANE, 2, POST, LaneRig.LIKE, 2, 1, 0)));
    assertRefused(later, 2, 1);
    assertThat(later.open.run(LaneRig.LANE, 2, 2, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.OPEN);
  }

  @Test
  void open_lane_is_not_opened_again() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    assertRefused(rig, 1, 1);
  }

  @Test
  void without_memory_a_lane_is_claimed_and_opens_all_the_same() {
    view.outOfMemory(
        () -> {
          later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
          assertThat(later.open.run(LaneRig.LANE, 2, 0, LaneRig.TOPIC, 0, 0))
              .isEqualTo(Opening.OPEN);
        });
  }

  private void assertRefused(LaneRig caller, long claimed, long base) {
    var before = view.everything();
    assertThat(caller.open.run(LaneRig.LANE, claimed, base, "topic-9", 0, 0))
        .isEqualTo(Opening.STALE);
    assertThat(view.everything()).isEqualTo(before);
  }
}
