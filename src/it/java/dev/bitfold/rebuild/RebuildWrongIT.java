package dev.bitfold.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.counter.Totals;
import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
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
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rebuilds of what is wrong: a right counter is left alone, a wrong one is corrected and told. */
@ExtendWith(InvariantExtension.class)
class RebuildWrongIT {

  private static final Entity POST = new Entity("post", "1");
  private static final Entity LONGER = new Entity("post", "11");
  private static final Step AGREES = new Step.Agrees();
  private static final long SHARD = 32_768;

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);
  private long offset;

  @Test
  void flushed_counter_agrees() {
    counted(1, 2);
    agreesAndChangesNothing();
  }

  @Test
  void entity_without_a_counter_agrees() {
    agreesAndChangesNothing();
    likes(1, 2);
    agreesAndChangesNothing();
    fold();
    agreesAndChangesNothing();
  }

  @Test
  void counter_with_a_bucket_agrees() {
    counted(1, 2);
    likes(3);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    fold();
    agreesAndChangesNothing();
  }

  @Test
  void counter_with_events_on_their_way_agrees() {
    counted(1, 2);
    likes(3, 4, 5);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    rig.toggle(LONGER, LaneRig.LIKE, 1, true);
    agreesAndChangesNothing();
  }

  @Test
  void events_of_others_are_not_taken_for_its_own() {
    counted(1);
    rig.toggle(LONGER, LaneRig.LIKE, 1, true);
    rig.toggle(new Entity("repost", "1"), LaneRig.LIKE, 1, true);
    agreesAndChangesNothing();
    batch(like(LONGER, 2), like(POST, 2), like(LONGER, 3));
    agreesAndChangesNothing();
  }

  @Test
  void events_below_the_floor_are_not_added() {
    counted(1);
    likes(2, 3);
    first(Mode.FORCE, LaneRig.steps(100));
    assertThat(view.floor(POST)).isEqualTo(3);
    agreesAndChangesNothing();
    likes(4);
    agreesAndChangesNothing();
  }

  @Test
  void entry_of_several_events_is_below_the_floor_or_above_it() {
    counted(1);
    batch(like(POST, 2), like(LONGER, 2), like(POST, 3));
    first(Mode.FORCE, LaneRig.steps(100));
    agreesAndChangesNothing();
    batch(like(POST, 4), like(POST, 5));
    agreesAndChangesNothing();
  }

  @Test
  void entry_that_is_folded_in_part_is_added_in_part() {
    counted(1);
    batch(like(POST, 2), like(POST, 3), like(POST, 4));
    var events = rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events();
    rig.fold.run(LaneRig.LANE, new Batch(offset, offset + 2, 0, events.subList(0, 2)));
    assertThat(view.outbox()).hasSize(1);
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "2"));
    agreesAndChangesNothing();
    rig.flush.run(LaneRig.LANE, 10, 10);
    agreesAndChangesNothing();
  }

  @Test
  void flipped_bit_of_a_like_is_found() {
    counted(1, 2);
    view.fact("like", POST, 7, true);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(2, 0), totals(3, 0)));
    view.fact("like", POST, 1, false);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(3, 0), totals(2, 0)));
    agreesAndChangesNothing();
    assertThat(view.audit())
        .containsExactly(
            "1-1 post:1 drift 0,2,0,0,0 0,3,0,0,0 epoch 1 seq 2",
            "1-2 post:1 drift 0,3,0,0,0 0,2,0,0,0 epoch 1 seq 2");
  }

  @Test
  void flipped_bit_of_a_fav_is_found_under_way() {
    counted(1, 2);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    view.fact("fav", POST, 9, true);
    likes(3);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(2, 0), totals(3, 2)));
    assertThat(view.floor(POST)).isEqualTo(4);
    fold();
    assertThat(view.bucket(POST)).isEmpty();
  }

  @Test
  void flipped_bit_of_the_counter_is_found() {
    counted(1, 2);
    view.counter(POST, 0, 2 + 64, 0, 0, 0);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(66, 0), totals(2, 0)));
  }

  @Test
  void lost_bucket_is_found() {
    counted(1, 2);
    likes(3, 4);
    fold();
    view.loseBucket(POST);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(2, 0), totals(4, 0)));
    assertThat(view.dirty()).isEmpty();
  }

  @Test
  void lost_event_is_found() {
    counted(1, 2);
    likes(3);
    view.folded(rig.seq()); // as if it had been folded
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(2, 0), totals(3, 0)));
  }

  @Test
  void bucket_that_no_flush_would_take_is_found() {
    counted(1, 2);
    likes(3);
    fold();
    view.clean(POST);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.STRANDED, totals(2, 0), totals(3, 0)));
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.audit())
        .containsExactly("1-1 post:1 stranded 0,2,0,0,0 0,3,0,0,0 epoch 1 seq 3");
  }

  @Test
  void counter_and_bucket_out_of_range_are_found_however_far_the_fold_is_behind() {
    counted(1, 2);
    view.counter(POST, 0, 0, 0, 0, 0);
    rig.toggle(POST, LaneRig.LIKE, 1, false);
    fold();
    likes(5);
    assertThat(first(Mode.FORCE, new Limits(100, Duration.ofMinutes(1), 0)))
        .isEqualTo(corrected(Cause.ASTRAY, totals(0, 0), totals(2, 0)));
  }

  @Test
  void malformed_counter_is_found() {
    counted(1, 2);
    view.malformed(POST, new byte[19]);
    assertThat(wrong(100)).isEqualTo(malformed(totals(2, 0)));
    view.listForCounter(POST);
    assertThat(wrong(100)).isEqualTo(malformed(totals(2, 0)));
    view.malformed(POST, new byte[0]);
    assertThat(wrong(100)).isEqualTo(malformed(totals(2, 0)));
    assertThat(view.audit()).hasSize(3).allMatch(line -> line.contains(" malformed  0,2,0,0,0 "));
  }

  @Test
  void malformed_bucket_is_found() {
    counted(1, 2);
    view.textForBucket(POST);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.MALFORMED, totals(2, 0), totals(2, 0)));
    view.bucket(POST, "1", "one");
    assertThat(wrong(100)).isEqualTo(corrected(Cause.MALFORMED, totals(2, 0), totals(2, 0)));
    view.bucket(POST, "9", "1");
    assertThat(wrong(100)).isEqualTo(corrected(Cause.MALFORMED, totals(2, 0), totals(2, 0)));
    agreesAndChangesNothing();
  }

  @Test
  void counter_without_facts_goes() {
    view.counter(POST, 0, 3, 0, 0, 0);
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(3, 0), totals(0, 0)));
    assertThat(view.counter(POST)).isEmpty();
  }

  @Test
  void large_entity_is_compared_in_steps_while_it_changes() {
    counted(1, SHARD, 2 * SHARD, 3 * SHARD);
    assertThat(wrong(2)).isEqualTo(new Step.More(2));
    likes(2, 3 * SHARD + 1);
    rig.toggle(POST, LaneRig.LIKE, SHARD, false);
    rig.toggle(POST, LaneRig.FAV, 5, true);
    fold();
    assertThat(next(1)).isEqualTo(new Step.More(3));
    rig.flush.run(LaneRig.LANE, 10, 10);
    likes(7);
    assertThat(walkToTheEnd()).isEqualTo(AGREES);
    assertThat(view.walk(POST)).isEmpty();
    assertThat(view.audit()).isEmpty();
  }

  @Test
  void large_entity_that_is_wrong_is_corrected_in_the_last_step() {
    counted(1, SHARD, 2 * SHARD);
    view.counter(POST, 0, 2, 0, 0, 0);
    assertThat(wrong(2)).isEqualTo(new Step.More(2));
    likes(2, 5 * SHARD);
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
    assertThat(walkToTheEnd()).isEqualTo(corrected(Cause.DRIFT, totals(2, 0), totals(5, 0)));
    assertThat(view.walk(POST)).isEmpty();
  }

  @Test
  void too_many_events_on_their_way_are_not_looked_at() {
    counted(1);
    view.counter(POST, 0, 9, 0, 0, 0);
    likes(2, 3, 4);
    var before = view.everything();
    Limits two = new Limits(100, Duration.ofMinutes(1), 2);
    assertThat(first(Mode.WRONG, two)).isEqualTo(new Step.Lagging());
    assertThat(view.everything()).isEqualTo(before);
    assertThat(first(Mode.FORCE, two)).isEqualTo(new Step.Done(totals(4, 0)));
    assertThat(view.audit()).isEmpty();
  }

  @Test
  void walk_that_falls_behind_is_given_up() {
    counted(1, SHARD);
    Limits two = new Limits(1, Duration.ofMinutes(1), 2);
    assertThat(first(Mode.WRONG, two)).isEqualTo(new Step.More(1));
    likes(2, 3, 4);
    assertThat(RedisReplies.await(rig.rebuild.next(LaneRig.LANE, POST, "token", Mode.WRONG, two)))
        .isEqualTo(new Step.Lagging());
    assertThat(view.walk(POST)).isEmpty();
  }

  @Test
  void nothing_is_corrected_while_its_line_would_push_out_another() {
    counted(1);
    view.counter(POST, 0, 9, 0, 0, 0);
    byte[] audit = LaneKeys.audit(LaneRig.LANE);
    for (int i = 0; i < 10_000; i++) {
      rig.redis.commands().xadd(audit, Map.of(LaneKeys.bytes("x"), LaneKeys.bytes("y")));
    }
    assertThat(RedisReplies.await(rig.redis.commands().xlen(audit))).isEqualTo(10_000);
    assertThat(wrong(100)).isEqualTo(new Step.Lagging());
    RedisReplies.await(rig.redis.commands().del(audit));
    assertThat(wrong(100)).isEqualTo(corrected(Cause.DRIFT, totals(9, 0), totals(1, 0)));
  }

  @Test
  void comparison_gives_way_to_a_rebuild() {
    counted(1, SHARD, 2 * SHARD);
    assertThat(wrong(2)).isEqualTo(new Step.More(2));
    likes(2);
    assertThat(rebuild("other", Mode.FORCE, 1)).isEqualTo(new Step.More(1));
    assertThat(next(100)).isEqualTo(new Step.Fenced());
    likes(3, 3 * SHARD);
    assertThat(
            RedisReplies.await(
                rig.rebuild.next(LaneRig.LANE, POST, "other", Mode.FORCE, LaneRig.steps(100))))
        .isEqualTo(new Step.Done(totals(6, 0)));
  }

  @Test
  void comparison_does_not_disturb_a_rebuild_or_another_comparison() {
    counted(1, SHARD, 2 * SHARD);
    for (Mode mode : List.of(Mode.FORCE, Mode.WRONG)) {
      assertThat(rebuild("other", mode, 1)).isEqualTo(new Step.More(1));
      var before = view.everything();
      assertThat(wrong(100)).isEqualTo(new Step.Busy());
      assertThat(view.everything()).isEqualTo(before);
      RedisReplies.await(rig.rebuild.next(LaneRig.LANE, POST, "other", mode, LaneRig.steps(100)));
    }
    agreesAndChangesNothing();
  }

  @Test
  void rebuilds_of_right_and_of_missing_counters_leave_no_line() {
    counted(1, 2);
    likes(3);
    assertThat(first(Mode.FORCE, LaneRig.steps(100))).isEqualTo(new Step.Done(totals(3, 0)));
    view.lose(POST);
    likes(4);
    assertThat(first(Mode.MISSING, LaneRig.steps(100))).isEqualTo(new Step.Done(totals(4, 0)));
    fold();
    rig.flush.run(LaneRig.LANE, 10, 10);
    assertThat(view.audit()).isEmpty();
  }

  @Test
  void line_tells_when_and_in_which_epoch() {
    counted(1);
    rig.toggle(LONGER, LaneRig.LIKE, 1, true);
    view.lane("open", "another");
    rig.openIn(7);
    view.fact("like", POST, 2, true);
    Instant before = Instant.now();
    wrong(100);
    assertThat(view.audit()).containsExactly("7-1 post:1 drift 0,1,0,0,0 0,2,0,0,0 epoch 7 seq 2");
    var line =
        RedisReplies.await(
                rig.redis
                    .commands()
                    .xrange(
                        LaneKeys.audit(LaneRig.LANE), io.lettuce.core.Range.<String>unbounded()))
            .get(0);
    long time =
        line.getBody().entrySet().stream()
            .filter(field -> LaneKeys.text(field.getKey()).equals("time"))
            .mapToLong(field -> Long.parseLong(LaneKeys.text(field.getValue())))
            .sum();
    assertThat(Instant.ofEpochMilli(time))
        .isBetween(before.minusMillis(1), Instant.now().plusMillis(1));
  }

  @Test
  void full_redis_keeps_nobody_from_a_correction() {
    counted(1);
    view.fact("like", POST, 2, true);
    view.outOfMemory(() -> assertThat(wrong(100)).isInstanceOf(Step.Corrected.class));
    assertThat(view.audit()).hasSize(1);
  }

  @Test
  void lane_open_in_another_life_changes_nothing() {
    counted(1);
    var before = view.everything();
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThatThrownBy(
            () ->
                RedisReplies.await(
                    later.rebuild.first(
                        LaneRig.LANE, POST, "token", Mode.WRONG, LaneRig.steps(100))))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  private void agreesAndChangesNothing() {
    var before = view.everything();
    assertThat(wrong(100)).isEqualTo(AGREES);
    assertThat(view.everything()).isEqualTo(before);
  }

  /** Likes that are in the counter already. */
  private void counted(long... users) {
    likes(users);
    fold();
    rig.flush.run(LaneRig.LANE, 10, 100);
  }

  private void likes(long... users) {
    for (long user : users) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
  }

  private static Toggle like(Entity entity, long user) {
    return new Toggle(entity, LaneRig.LIKE, user, true);
  }

  /** Toggles that share one entry of the outbox. */
  private void batch(Toggle... toggles) {
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, List.of(toggles), 1000, LaneRig.NO_LIMIT));
  }

  private void fold() {
    rig.foldAll(offset);
    offset = Long.parseLong(view.lane().getOrDefault("offset", "0"));
  }

  private Step wrong(int shards) {
    return rebuild("token", Mode.WRONG, shards);
  }

  private Step rebuild(String token, Mode mode, int shards) {
    return RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, POST, token, mode, LaneRig.steps(shards)));
  }

  private Step first(Mode mode, Limits limits) {
    return RedisReplies.await(rig.rebuild.first(LaneRig.LANE, POST, "token", mode, limits));
  }

  private Step next(int shards) {
    return RedisReplies.await(
        rig.rebuild.next(LaneRig.LANE, POST, "token", Mode.WRONG, LaneRig.steps(shards)));
  }

  private Step walkToTheEnd() {
    Step step = next(1);
    for (int i = 0; i < 20 && step instanceof Step.More; i++) {
      step = next(1);
    }
    return step;
  }

  private static Step corrected(Cause cause, Totals before, Totals after) {
    return new Step.Corrected(after, cause, Optional.of(before));
  }

  private static Step malformed(Totals after) {
    return new Step.Corrected(after, Cause.MALFORMED, Optional.empty());
  }

  private static Totals totals(long likes, long favs) {
    return new Totals(Arrays.asList(0L, likes, favs, 0L, 0L));
  }
}
