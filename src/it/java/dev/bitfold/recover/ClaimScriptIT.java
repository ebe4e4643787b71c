package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.metric.Entity;
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
class ClaimScriptIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void open_lane_is_not_claimed() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    var before = view.everything();
    assertThat(rig.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC)).isEqualTo(new Claim.Open(1, 1, 1));
    assertThat(rig.claim.run(LaneRig.LANE, 0, LaneRig.TOPIC)).isEqualTo(new Claim.Open(1, 1, 1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void lane_that_never_was_is_claimed_from_nothing() {
    TestRedis.empty();
    assertThat(rig.claim.run(LaneRig.LANE, 1, LaneRig.TOPIC))
        .isEqualTo(new Claim.Claimed(0, 0, 0, 0, "", 0, 0));
    assertThat(view.lane()).isEqualTo(Map.of("claim", "life-1:1", "claimed", "1"));
  }

  @Test
  void lane_open_in_another_life_is_claimed_and_tells_where_it_ends() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    rig.toggle(POST, LaneRig.LIKE, 2, true);
    assertThat(later().claim.run(LaneRig.LANE, 2, LaneRig.TOPIC))
        .isEqualTo(new Claim.Claimed(1, 2, 1, 1, LaneRig.TOPIC, 0, 2));
    assertThat(view.lane()).containsEntry("claim", "life-2:2").doesNotContainKey("open");
  }

  @Test
  void looking_takes_the_mark_of_another_life_away_for_when_that_one_comes_back() {
    assertThat(later().claim.run(LaneRig.LANE, 0, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(1));
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 1, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(rig.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC))
        .as("the state may be an older one than this life had")
        .isEqualTo(new Claim.Claimed(1, 0, 0, 0, LaneRig.TOPIC, 0, 0));
  }

  @Test
  void epoch_that_the_lane_has_had_is_stale() {
    LaneRig later = later();
    assertThat(later.claim.run(LaneRig.LANE, 0, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(1));
    var before = view.everything();
    assertThat(later.claim.run(LaneRig.LANE, 1, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void epoch_that_was_claimed_already_is_stale() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 7, LaneRig.TOPIC);
    var before = view.everything();
    assertThat(later.claim.run(LaneRig.LANE, 7, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(7));
    assertThat(later.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(7));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void later_claim_takes_the_lane_over() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertThat(later.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC)).isInstanceOf(Claim.Claimed.class);
    assertThat(later.open.run(LaneRig.LANE, 2, 0, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.STALE);
    assertThat(later.open.run(LaneRig.LANE, 3, 0, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.OPEN);
  }

  @Test
  void claim_of_another_life_opens_nothing_and_is_taken_over() {
    later().claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    LaneRig third = new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity());
    assertThat(third.open.run(LaneRig.LANE, 2, 0, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.STALE);
    assertThat(third.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(2));
    assertThat(third.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC)).isInstanceOf(Claim.Claimed.class);
  }

  @Test
  void claimed_epoch_outlives_the_opening() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 5, LaneRig.TOPIC);
    later.open.run(LaneRig.LANE, 5, 0, LaneRig.TOPIC, 0, 0);
    LaneRig third = new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity());
    assertThat(third.claim.run(LaneRig.LANE, 5, LaneRig.TOPIC)).isEqualTo(new Claim.Stale(5));
  }

  @Test
  void lane_open_on_another_topic_is_closed_by_the_claim() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    rig.toggle(POST, LaneRig.LIKE, 2, true);
    assertThat(rig.claim.run(LaneRig.LANE, 2, "topic-2"))
        .isEqualTo(new Claim.Claimed(1, 2, 1, 1, LaneRig.TOPIC, 1, 2));
    assertThat(view.lane()).containsEntry("open", "life-1:claimed");
    var before = view.everything();
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 3, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(rig.fold.run(LaneRig.LANE, new Batch(1, 2, 0, List.of())))
        .isEqualTo(new Fold.Closed());
    assertThat(view.everything()).isEqualTo(before);
    assertThat(rig.open.run(LaneRig.LANE, 2, 2, "topic-2", 0, 0)).isEqualTo(Opening.OPEN);
    assertThat(view.lane()).containsEntry("open", "life-1").containsEntry("topic", "topic-2");
  }

  @Test
  void lane_open_on_another_topic_is_not_closed_by_asking() {
    var before = view.everything();
    assertThat(rig.claim.run(LaneRig.LANE, 0, "topic-2")).isEqualTo(new Claim.Stale(1));
    assertThat(rig.claim.run(LaneRig.LANE, 1, "topic-2")).isEqualTo(new Claim.Stale(1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void topic_that_is_not_known_leaves_an_open_lane_open() {
    assertThat(rig.claim.run(LaneRig.LANE, 0, "")).isEqualTo(new Claim.Open(1, 0, 0));
    assertThat(rig.claim.run(LaneRig.LANE, 2, "")).isEqualTo(new Claim.Open(1, 0, 0));
  }

  @Test
  void claim_that_closed_a_lane_is_taken_over_and_the_state_is_still_kept() {
    rig.claim.run(LaneRig.LANE, 2, "topic-2");
    assertThat(rig.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC))
        .isEqualTo(new Claim.Claimed(1, 0, 0, 0, LaneRig.TOPIC, 2, 0));
    assertThat(rig.open.run(LaneRig.LANE, 2, 0, "topic-2", 0, 0)).isEqualTo(Opening.STALE);
  }

  @Test
  void state_that_was_claimed_in_another_life_is_not_kept() {
    rig.claim.run(LaneRig.LANE, 2, "topic-2");
    assertThat(later().claim.run(LaneRig.LANE, 3, "topic-2"))
        .isEqualTo(new Claim.Claimed(1, 0, 0, 0, LaneRig.TOPIC, 0, 0));
  }

  private LaneRig later() {
    return new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
  }
}
