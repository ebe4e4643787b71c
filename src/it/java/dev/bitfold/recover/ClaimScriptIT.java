package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.TestRedis;
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
    assertThat(rig.claim.run(LaneRig.LANE, 2)).isEqualTo(new Claim.Open(1, 1, 1));
    assertThat(rig.claim.run(LaneRig.LANE, 0)).isEqualTo(new Claim.Open(1, 1, 1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void lane_that_never_was_is_claimed_from_nothing() {
    TestRedis.empty();
    assertThat(rig.claim.run(LaneRig.LANE, 1)).isEqualTo(new Claim.Claimed(0, 0, 0, ""));
    assertThat(view.lane()).isEqualTo(Map.of("claim", "life-1:1", "claimed", "1"));
  }

  @Test
  void lane_open_in_another_life_is_claimed_and_tells_where_it_ends() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.foldAll(0);
    rig.toggle(POST, LaneRig.LIKE, 2, true);
    assertThat(later().claim.run(LaneRig.LANE, 2))
        .isEqualTo(new Claim.Claimed(1, 2, 1, LaneRig.TOPIC));
    assertThat(view.lane()).containsEntry("claim", "life-2:2").containsEntry("open", "life-1");
  }

  @Test
  void epoch_that_the_lane_has_had_is_stale() {
    LaneRig later = later();
    var before = view.everything();
    assertThat(later.claim.run(LaneRig.LANE, 1)).isEqualTo(new Claim.Stale(1));
    assertThat(later.claim.run(LaneRig.LANE, 0)).isEqualTo(new Claim.Stale(1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void epoch_that_was_claimed_already_is_stale() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 7);
    var before = view.everything();
    assertThat(later.claim.run(LaneRig.LANE, 7)).isEqualTo(new Claim.Stale(7));
    assertThat(later.claim.run(LaneRig.LANE, 3)).isEqualTo(new Claim.Stale(7));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void later_claim_takes_the_lane_over() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 2);
    assertThat(later.claim.run(LaneRig.LANE, 3)).isInstanceOf(Claim.Claimed.class);
    assertThat(later.open.run(LaneRig.LANE, 2, 0, LaneRig.TOPIC, LaneRig.LOG_END)).isEmpty();
    assertThat(later.open.run(LaneRig.LANE, 3, 0, LaneRig.TOPIC, LaneRig.LOG_END)).hasValue(0);
  }

  @Test
  void claim_of_another_life_opens_nothing_and_is_taken_over() {
    later().claim.run(LaneRig.LANE, 2);
    LaneRig third = new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity());
    assertThat(third.open.run(LaneRig.LANE, 2, 0, LaneRig.TOPIC, LaneRig.LOG_END)).isEmpty();
    assertThat(third.claim.run(LaneRig.LANE, 2)).isEqualTo(new Claim.Stale(2));
    assertThat(third.claim.run(LaneRig.LANE, 3)).isInstanceOf(Claim.Claimed.class);
  }

  @Test
  void claimed_epoch_outlives_the_opening() {
    LaneRig later = later();
    later.claim.run(LaneRig.LANE, 5);
    later.open.run(LaneRig.LANE, 5, 0, LaneRig.TOPIC, LaneRig.LOG_END);
    LaneRig third = new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity());
    assertThat(third.claim.run(LaneRig.LANE, 5)).isEqualTo(new Claim.Stale(5));
  }

  private LaneRig later() {
    return new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
  }
}
