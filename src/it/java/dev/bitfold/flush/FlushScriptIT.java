package dev.bitfold.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.flush.FlushScript.Flushed;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class FlushScriptIT {

  private static final Entity POST = new Entity("post", "1");
  private static final Entity OTHER = new Entity("post", "2");
  private static final Flushed NOTHING = new Flushed(0, 0, 0, List.of(), List.of());
  private static final Flushed ONE_FLUSHED = new Flushed(1, 0, 0, List.of(), List.of());
  private static final Flushed ONE_REBUILT = new Flushed(0, 1, 0, List.of(), List.of());

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);
  private long offset;

  @Test
  void clean_lane_has_nothing_to_flush() {
    var before = view.everything();
    assertThat(flush()).isEqualTo(NOTHING);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void bucket_is_added_to_the_counter_and_gone() {
    counted(POST, 1, 2);
    like(POST, 3);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    fold();
    assertThat(flush()).isEqualTo(ONE_FLUSHED);
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 1L, 0L, 0L);
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
    assertThat(flush()).isEqualTo(NOTHING);
  }

  @Test
  void tallies_are_kept_and_their_deltas_added() {
    counted(POST, 1);
    view.counter(POST, 4_000_000_000L, 1, 0, 5, 6);
    view.bucket(POST, 3, 10);
    like(POST, 2);
    fold();
    assertThat(flush()).isEqualTo(ONE_FLUSHED);
    assertThat(view.counter(POST)).containsExactly(4_000_000_000L, 2L, 0L, 15L, 6L);
  }

  @Test
  void missing_counter_is_rebuilt_and_never_made_from_zero() {
    counted(POST, 1, 2, 3);
    view.lose(POST);
    like(POST, 4);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.audit()).isEmpty();
    assertThat(view.counter(POST)).containsExactly(0L, 4L, 0L, 0L, 0L);
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
  }

  @Test
  void truncated_counter_is_rebuilt() {
    counted(POST, 1, 2, 3);
    view.malformed(POST, new byte[] {0, 0, 0, 0, 0, 0, 9});
    like(POST, 4);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.audit()).containsExactly("1-1 post:1 malformed  0,4,0,0,0 epoch 1 seq 4");
    assertThat(view.counter(POST)).containsExactly(0L, 4L, 0L, 0L, 0L);
  }

  @Test
  void counter_that_is_too_long_is_rebuilt() {
    counted(POST, 1, 2, 3);
    view.counter(POST, 0, 3, 0, 0, 0, 0);
    like(POST, 4);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.counter(POST)).containsExactly(0L, 4L, 0L, 0L, 0L);
  }

  @Test
  void counter_of_the_wrong_type_is_rebuilt() {
    counted(POST, 1, 2, 3);
    view.listForCounter(POST);
    like(POST, 4);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.counter(POST)).containsExactly(0L, 4L, 0L, 0L, 0L);
  }

  @Test
  void bucket_that_cannot_be_read_is_dropped_and_told() {
    for (String wrong : List.of("x", "1.5", "0x1", "1e3", " 1", "9223372036854775807")) {
      LaneRig own = LaneRig.open();
      own.toggle(POST, LaneRig.LIKE, 1, true);
      own.foldAll(0);
      own.flush.run(LaneRig.LANE, 10, 10);
      new LaneView(own).bucket(POST, "1", wrong);
      own.toggle(POST, LaneRig.LIKE, 2, true);
      own.foldAll(1);
      assertThat(own.flush.run(LaneRig.LANE, 10, 10)).as(wrong).isEqualTo(ONE_REBUILT);
      assertThat(view.counter(POST)).as(wrong).containsExactly(0L, 2L, 0L, 0L, 0L);
      assertThat(view.audit())
          .as(wrong)
          .containsExactly("1-1 post:1 malformed  0,2,0,0,0 epoch 1 seq 2");
    }
  }

  @Test
  void rebuild_in_the_flush_sets_a_floor_when_events_are_on_their_way() {
    like(POST, 1);
    fold();
    like(POST, 2);
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
    assertThat(view.floor(POST)).isEqualTo(2);
    fold();
    assertThat(flush()).isEqualTo(NOTHING);
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
  }

  @Test
  void rebuild_in_the_flush_sets_no_floor_when_all_is_folded() {
    like(POST, 1);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.floor(POST)).isNull();
  }

  @Test
  void counter_that_would_go_negative_is_astray_and_rebuilt() {
    counted(POST, 1, 2);
    view.counter(POST, 3, 0, 0, 0, 0); // somebody has broken it
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    fold();
    assertThat(flush()).isEqualTo(new Flushed(0, 1, 0, List.of(POST), List.of()));
    assertThat(view.audit()).containsExactly("1-1 post:1 astray 3,0,0,0,0 3,1,0,0,0 epoch 1 seq 3");
    assertThat(view.counter(POST)).containsExactly(3L, 1L, 0L, 0L, 0L);
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
  }

  @Test
  void counter_that_would_pass_its_width_is_astray_and_rebuilt() {
    counted(POST, 1);
    view.counter(POST, 0, 0xFFFF_FFFFL, 0, 0, 0);
    like(POST, 2);
    fold();
    assertThat(flush()).isEqualTo(new Flushed(0, 1, 0, List.of(POST), List.of()));
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
  }

  @Test
  void tally_out_of_range_is_astray_and_left_as_it_is() {
    counted(POST, 1);
    view.counter(POST, 0xFFFF_FFFFL, 1, 0, 0, 0);
    view.bucket(POST, 0, 1);
    assertThat(flush()).isEqualTo(new Flushed(0, 0, 1, List.of(POST), List.of(POST)));
    assertThat(view.audit()).isEmpty();
    assertThat(view.counter(POST)).containsExactly(0xFFFF_FFFFL, 1L, 0L, 0L, 0L);
    assertThat(view.bucket(POST)).containsEntry("0", "1");
  }

  @Test
  void counter_of_zeros_leaves_no_key() {
    counted(POST, 1);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    fold();
    assertThat(flush()).isEqualTo(ONE_FLUSHED);
    assertThat(view.keys()).containsExactly("folded:{3}", "lane:{3}", "outbox:{3}");
  }

  @Test
  void rebuilt_counter_of_zeros_leaves_no_key() {
    like(POST, 1);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    fold();
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(view.keys()).containsExactly("folded:{3}", "lane:{3}", "outbox:{3}");
  }

  @Test
  void too_many_shards_are_named_as_large_and_left_dirty() {
    like(POST, 1);
    like(POST, 40_000);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    fold();
    var before = view.everything();
    assertThat(rig.flush.run(LaneRig.LANE, 10, 2))
        .isEqualTo(new Flushed(0, 0, 1, List.of(), List.of(POST)));
    assertThat(view.everything()).isEqualTo(before);
    assertThat(rig.flush.run(LaneRig.LANE, 10, 3)).isEqualTo(ONE_REBUILT);
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 1L, 0L, 0L);
  }

  @Test
  void large_entity_does_not_hold_up_the_others() {
    counted(OTHER, 1);
    like(OTHER, 2);
    like(POST, 1);
    like(POST, 40_000);
    fold();
    assertThat(rig.flush.run(LaneRig.LANE, 10, 1))
        .isEqualTo(new Flushed(1, 0, 1, List.of(), List.of(POST)));
    assertThat(view.counter(OTHER)).containsExactly(0L, 2L, 0L, 0L, 0L);
    assertThat(view.dirty()).containsExactly("post:1");
  }

  @Test
  void no_more_entities_than_asked_are_taken() {
    counted(POST, 1);
    counted(OTHER, 1);
    like(POST, 2);
    like(OTHER, 2);
    fold();
    Flushed first = rig.flush.run(LaneRig.LANE, 1, 10);
    assertThat(first).isEqualTo(new Flushed(1, 0, 1, List.of(), List.of()));
    assertThat(rig.flush.run(LaneRig.LANE, 1, 10)).isEqualTo(ONE_FLUSHED);
    assertThat(view.counter(POST)).isEqualTo(view.counter(OTHER));
  }

  @Test
  void rebuild_in_the_flush_fences_off_a_walk_under_way() {
    like(POST, 1);
    like(POST, 40_000);
    fold();
    assertThat(
            RedisReplies.await(
                rig.rebuild.first(LaneRig.LANE, POST, "walker", Mode.FORCE, LaneRig.steps(1))))
        .isEqualTo(new Step.More(1));
    assertThat(flush()).isEqualTo(ONE_REBUILT);
    assertThat(
            RedisReplies.await(
                rig.rebuild.next(LaneRig.LANE, POST, "walker", Mode.FORCE, LaneRig.steps(1))))
        .isEqualTo(new Step.Fenced());
  }

  @Test
  void lane_open_in_another_life_changes_nothing() {
    counted(POST, 1);
    like(POST, 2);
    fold();
    var before = view.everything();
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThatThrownBy(() -> later.flush.run(LaneRig.LANE, 10, 10))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  /** Likes of an entity that are in its counter already. */
  private void counted(Entity entity, long... users) {
    for (long user : users) {
      like(entity, user);
    }
    fold();
    flush();
    assertThat(view.counter(entity)).containsExactly(0L, (long) users.length, 0L, 0L, 0L);
  }

  private void like(Entity entity, long user) {
    rig.toggle(entity, LaneRig.LIKE, user, true);
  }

  private void fold() {
    rig.foldAll(offset);
    offset = Long.parseLong(view.lane().get("offset"));
  }

  private Flushed flush() {
    return rig.flush.run(LaneRig.LANE, 10, 10);
  }
}
