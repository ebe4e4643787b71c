package dev.bitfold.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bitfold.counter.Totals;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Limits;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class RebuildScriptIT {

  private static final Entity POST = new Entity("post", "1");
  private static final Entity OTHER = new Entity("post", "2");
  private static final long SHARD = 32_768;

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void few_shards_are_counted_in_one_step() {
    likes(1, 2, SHARD, (1L << 53) + 1, Long.MAX_VALUE);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    rig.toggle(OTHER, LaneRig.LIKE, 1, true);
    assertThat(force(100)).isEqualTo(done(0, 5, 1, 0, 0));
    assertThat(view.counter(POST)).containsExactly(0L, 5L, 1L, 0L, 0L);
    assertThat(view.walk(POST)).isEmpty();
  }

  @Test
  void good_counter_is_present_and_left_alone() {
    likes(1, 2);
    force(100);
    var before = view.everything();
    assertThat(missing(100)).isEqualTo(new Step.Present(new Totals(List.of(0L, 2L, 0L, 0L, 0L))));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void malformed_counter_is_not_present() {
    likes(1, 2);
    view.malformed(POST, new byte[3]);
    assertThat(missing(100)).isEqualTo(malformed(0, 2, 0, 0, 0));
    view.listForCounter(POST);
    assertThat(missing(100)).isEqualTo(malformed(0, 2, 0, 0, 0));
    assertThat(view.audit())
        .containsExactly(
            "1-1 post:1 malformed  0,2,0,0,0 epoch 1 seq 2",
            "1-2 post:1 malformed  0,2,0,0,0 epoch 1 seq 2");
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
  }

  @Test
  void wrong_counter_is_corrected_by_force() {
    likes(1, 2);
    rig.foldAll(0);
    view.counter(POST, 0, 77, 78, 0, 0);
    assertThat(force(100)).isEqualTo(drift(totals(0, 77, 78, 0, 0), totals(0, 2, 0, 0, 0)));
    assertThat(view.audit())
        .containsExactly("1-1 post:1 drift 0,77,78,0,0 0,2,0,0,0 epoch 1 seq 2");
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
  }

  @Test
  void bucket_is_in_the_facts_already_and_goes() {
    likes(1, 2);
    rig.foldAll(0);
    assertThat(view.dirty()).isNotEmpty();
    force(100);
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
  }

  @Test
  void tallies_are_kept_and_their_deltas_added() {
    likes(1, 2);
    view.counter(POST, 4_000_000_000L, 50, 60, 7, 8);
    view.bucket(POST, 3, 100);
    view.bucket(POST, 1, 5);
    assertThat(force(100))
        .isEqualTo(
            drift(totals(4_000_000_000L, 50, 60, 7, 8), totals(4_000_000_000L, 2, 0, 107, 8)));
    assertThat(view.audit())
        .containsExactly(
            "1-1 post:1 drift 4000000000,50,60,7,8 4000000000,2,0,107,8 epoch 1 seq 2");
    assertThat(view.counter(POST)).containsExactly(4_000_000_000L, 2L, 0L, 107L, 8L);
  }

  @Test
  void floor_is_set_when_events_are_on_their_way() {
    likes(1, 2, 3);
    force(100);
    assertThat(view.floor(POST)).isEqualTo(3);
    rig.foldAll(0);
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.floor(POST)).isNull();
  }

  @Test
  void no_floor_is_set_when_all_is_folded() {
    likes(1, 2, 3);
    rig.foldAll(0);
    force(100);
    assertThat(view.floor(POST)).isNull();
  }

  @Test
  void later_rebuild_lifts_the_floor() {
    likes(1);
    force(100);
    likes(2);
    force(100);
    assertThat(view.floor(POST)).isEqualTo(2);
  }

  @Test
  void entity_without_facts_leaves_no_key() {
    var before = view.everything();
    assertThat(force(100)).isEqualTo(done(0, 0, 0, 0, 0));
    assertThat(missing(100)).isEqualTo(done(0, 0, 0, 0, 0));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void wrong_counter_without_facts_goes_and_leaves_no_floor() {
    likes(1);
    force(100);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    assertThat(force(100)).isEqualTo(done(0, 0, 0, 0, 0));
    assertThat(view.counter(POST)).isEmpty();
    assertThat(view.floor(POST)).isNull();
    likes(2);
    rig.foldAll(0);
    rig.flush.run(LaneRig.LANE, 10, 10);
    assertThat(view.counter(POST)).containsExactly(0L, 1L, 0L, 0L, 0L);
  }

  @Test
  void many_shards_are_counted_in_steps() {
    likes(1, SHARD, 2 * SHARD, 2 * SHARD + 1, 3 * SHARD);
    rig.toggle(POST, LaneRig.FAV, SHARD, true);
    assertThat(force(2)).isEqualTo(new Step.More(2));
    assertThat(view.counter(POST)).isEmpty();
    assertThat(next("token", 2)).isEqualTo(new Step.More(4));
    assertThat(next("token", 2)).isEqualTo(done(0, 5, 1, 0, 0));
    assertThat(view.walk(POST)).isEmpty();
  }

  @Test
  void walk_does_not_end_within_the_last_metric() {
    for (int shard = 0; shard < 3; shard++) {
      rig.toggle(POST, LaneRig.FAV, shard * SHARD + 1, true);
    }
    assertThat(force(2)).isEqualTo(new Step.More(2));
    assertThat(next("token", 2)).isEqualTo(done(0, 0, 3, 0, 0));
  }

  @Test
  void toggles_behind_the_cursor_correct_the_count() {
    likes(1, SHARD, 2 * SHARD);
    force(2);
    likes(2, SHARD + 1); // shards 0 and 1 are counted
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 4, 0, 0, 0));
  }

  @Test
  void toggles_before_the_cursor_are_counted_when_it_comes_there() {
    likes(1, SHARD, 2 * SHARD);
    force(2);
    likes(2 * SHARD + 1, 5 * SHARD);
    rig.toggle(POST, LaneRig.LIKE, 2 * SHARD, false);
    rig.toggle(POST, LaneRig.FAV, 1, true); // the walk has not begun with this metric
    assertThat(walkToTheEnd()).isEqualTo(done(0, 4, 1, 0, 0));
  }

  @Test
  void shard_that_the_cursor_stands_on_may_go_and_come_back() {
    likes(1, SHARD, 2 * SHARD);
    force(2);
    rig.toggle(POST, LaneRig.LIKE, SHARD, false);
    assertThat(view.factKeys(POST)).doesNotContain("bm:{3}:like:post:1:1");
    likes(SHARD + 7, SHARD + 8);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 4, 0, 0, 0));
  }

  @Test
  void walk_at_the_last_shards_of_all_user_ids_is_exact() {
    likes(1, 1L << 53, Long.MAX_VALUE - SHARD, Long.MAX_VALUE);
    force(3);
    likes(Long.MAX_VALUE - 1, Long.MAX_VALUE - SHARD - 1, (1L << 53) + 1);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 7, 0, 0, 0));
  }

  @Test
  void toggles_of_other_entities_do_not_touch_the_walk() {
    likes(1, SHARD);
    force(1);
    rig.toggle(OTHER, LaneRig.LIKE, 1, true);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 2, 0, 0, 0));
  }

  @Test
  void events_between_the_steps_are_below_the_floor() {
    likes(1, SHARD);
    rig.foldAll(0);
    force(1);
    likes(2);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 3, 0, 0, 0));
    assertThat(view.floor(POST)).isEqualTo(3);
    rig.foldAll(2);
    rig.flush.run(LaneRig.LANE, 10, 10);
    assertThat(view.counter(POST)).containsExactly(0L, 3L, 0L, 0L, 0L);
  }

  @Test
  void events_folded_and_flushed_between_the_steps_are_not_added_twice() {
    likes(1, SHARD);
    rig.foldAll(0);
    rig.flush.run(LaneRig.LANE, 10, 10);
    force(1);
    likes(2, 3 * SHARD);
    rig.foldAll(2);
    rig.flush.run(LaneRig.LANE, 10, 10);
    assertThat(walkToTheEnd()).isEqualTo(done(0, 4, 0, 0, 0));
  }

  @Test
  void walk_of_another_token_is_busy() {
    likes(1, SHARD);
    force(1);
    var before = view.everything();
    assertThat(first("other", Mode.FORCE, 100)).isEqualTo(new Step.Busy());
    assertThat(first("other", Mode.MISSING, 100)).isEqualTo(new Step.Busy());
    assertThat(view.everything()).isEqualTo(before);
    walkToTheEnd();
  }

  @Test
  void walker_of_another_token_is_fenced_off() {
    likes(1, SHARD);
    force(1);
    var before = view.everything();
    assertThat(next("other", 100)).isEqualTo(new Step.Fenced());
    assertThat(view.everything()).isEqualTo(before);
    walkToTheEnd();
  }

  @Test
  void walker_whose_walk_is_gone_is_fenced_off() {
    likes(1, SHARD);
    force(1);
    view.loseWalk(POST);
    assertThat(next("token", 100)).isEqualTo(new Step.Fenced());
    assertThat(view.counter(POST)).isEmpty();
  }

  @Test
  void step_without_a_walk_is_fenced_off() {
    likes(1);
    assertThat(next("token", 100)).isEqualTo(new Step.Fenced());
    assertThat(view.counter(POST)).isEmpty();
  }

  @Test
  void abandoned_walk_is_forgotten() {
    likes(1, SHARD, 2 * SHARD);
    force(1);
    assertThat(view.walkExpires(POST)).isBetween(1L, LaneRig.steps(1).abandonedAfter().toMillis());
    assertThat(
            RedisReplies.await(
                rig.rebuild.next(
                    LaneRig.LANE,
                    POST,
                    "token",
                    Mode.FORCE,
                    new Limits(1, Duration.ofMillis(1), LaneRig.NO_LIMIT))))
        .isEqualTo(new Step.More(2));
    await().until(() -> view.walk(POST).isEmpty());
    assertThat(first("other", Mode.FORCE, 100)).isEqualTo(done(0, 3, 0, 0, 0));
  }

  @Test
  void tally_out_of_range_is_an_overflow_and_changes_nothing() {
    likes(1);
    rig.foldAll(0);
    view.counter(POST, 0xFFFF_FFFFL, 0, 0, 0, 0);
    view.bucket(POST, 0, 1);
    var before = view.everything();
    assertThat(force(100)).isEqualTo(new Step.Overflow());
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void lane_open_in_another_life_changes_nothing() {
    likes(1);
    var before = view.everything();
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThatThrownBy(
            () ->
                RedisReplies.await(
                    later.rebuild.first(
                        LaneRig.LANE, POST, "token", Mode.FORCE, LaneRig.steps(100))))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  private void likes(long... users) {
    for (long user : users) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
  }

  private Step force(int shards) {
    return first("token", Mode.FORCE, shards);
  }

  private Step missing(int shards) {
    return first("token", Mode.MISSING, shards);
  }

  private Step first(String token, Mode mode, int shards) {
    return RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, POST, token, mode, LaneRig.steps(shards)));
  }

  private Step next(String token, int shards) {
    return RedisReplies.await(
        rig.rebuild.next(LaneRig.LANE, POST, token, Mode.FORCE, LaneRig.steps(shards)));
  }

  private Step walkToTheEnd() {
    Step step = next("token", 1);
    for (int i = 0; i < 20 && step instanceof Step.More; i++) {
      step = next("token", 1);
    }
    return step;
  }

  private static Step done(long... fields) {
    return new Step.Done(totals(fields));
  }

  private static Step malformed(long... fields) {
    return new Step.Corrected(totals(fields), Cause.MALFORMED, Optional.empty());
  }

  private static Step drift(Totals before, Totals after) {
    return new Step.Corrected(after, Cause.DRIFT, Optional.of(before));
  }

  private static Totals totals(long... fields) {
    return new Totals(Arrays.stream(fields).boxed().toList());
  }
}
