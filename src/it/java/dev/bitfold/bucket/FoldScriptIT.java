package dev.bitfold.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class FoldScriptIT {

  private static final Entity POST = new Entity("post", "1");
  private static final Entity OTHER = new Entity("post", "2");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void events_in_order_are_added_and_their_entities_are_dirty() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 2, true);
    rig.toggle(POST, LaneRig.FAV, 2, true);
    rig.toggle(OTHER, LaneRig.FAV, 1, true);
    rig.toggle(OTHER, LaneRig.FAV, 1, false);
    assertThat(rig.foldAll(0)).isEqualTo(new Fold.Folded(5, 5, 5, 0, 0, 0, 0));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "2", "2", "1"));
    assertThat(view.bucket(OTHER)).isEqualTo(Map.of("2", "0"));
    assertThat(view.dirty()).containsExactly("post:1", "post:2");
    assertThat(rig.folded()).isEqualTo(5);
  }

  @Test
  void buckets_grow_from_batch_to_batch() {
    likes(1, 2);
    fold(0, rig.outbox.run(LaneRig.LANE, 0, 10).events());
    likes(3);
    fold(2, rig.outbox.run(LaneRig.LANE, 2, 10).events());
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "3"));
  }

  @Test
  void batch_may_make_more_entities_dirty_than_a_command_takes() {
    int entities = 9000;
    for (int first = 0; first < entities; first += 500) {
      List<Toggle> toggles =
          IntStream.range(first, first + 500)
              .mapToObj(id -> new Entity("post", Integer.toString(id)))
              .map(entity -> new Toggle(entity, LaneRig.LIKE, 1, true))
              .toList();
      RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 0, LaneRig.NO_LIMIT));
    }
    fold(0, unfolded());
    assertThat(rig.folded()).isEqualTo(entities);
    assertThat(view.dirty()).hasSize(entities);
  }

  @Test
  void duplicate_is_dropped() {
    likes(1, 2);
    List<Event> events = unfolded();
    fold(0, events);
    assertThat(fold(2, events)).isEqualTo(new Fold.Folded(2, 4, 0, 2, 0, 0, 0));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "2"));
  }

  @Test
  void duplicate_within_a_batch_is_dropped() {
    likes(1, 2);
    Event first = unfolded().get(0);
    Event second = unfolded().get(1);
    assertThat(fold(0, List.of(first, first, second, second, first)))
        .isEqualTo(new Fold.Folded(2, 5, 2, 3, 0, 0, 0));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "2"));
  }

  @Test
  void gap_is_ignored_and_filled_when_it_comes_again_in_order() {
    likes(1, 2, 3);
    List<Event> events = unfolded();
    assertThat(fold(0, List.of(events.get(0), events.get(2))))
        .isEqualTo(new Fold.Folded(1, 2, 1, 0, 1, 0, 0));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "1"));
    assertThat(fold(2, events.subList(1, 3))).isEqualTo(new Fold.Folded(3, 4, 2, 0, 0, 0, 0));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "3"));
  }

  @Test
  void event_of_another_epoch_is_ignored() {
    likes(1);
    Event event = unfolded().get(0);
    assertThat(fold(0, List.of(inEpoch(0, event), inEpoch(2, event), inEpoch(11, event))))
        .isEqualTo(new Fold.Folded(0, 3, 0, 0, 0, 3, 0));
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
    assertThat(fold(3, List.of(event))).isEqualTo(new Fold.Folded(1, 4, 1, 0, 0, 0, 0));
  }

  @Test
  void events_up_to_the_floor_are_folded_but_not_added() {
    likes(1, 2);
    rebuild(POST);
    assertThat(view.floor(POST)).isEqualTo(2);
    likes(3);
    rig.toggle(OTHER, LaneRig.LIKE, 1, true);
    assertThat(rig.foldAll(0)).isEqualTo(new Fold.Folded(4, 4, 2, 0, 0, 0, 2));
    assertThat(view.bucket(POST)).isEqualTo(Map.of("1", "1"));
    assertThat(view.counter(POST)).containsExactly(0L, 2L, 0L, 0L, 0L);
  }

  @Test
  void floor_stays_until_it_is_passed() {
    likes(1, 2, 3);
    List<Event> events = unfolded();
    rebuild(POST);
    fold(0, events.subList(0, 2));
    assertThat(view.floor(POST)).isEqualTo(3);
    fold(2, events.subList(2, 3));
    assertThat(view.floor(POST)).isNull();
    assertThat(view.bucket(POST)).isEmpty();
    assertThat(view.dirty()).isEmpty();
  }

  @Test
  void floor_that_is_passed_leaves_the_floors_of_others() {
    likes(1);
    rebuild(POST);
    rig.toggle(OTHER, LaneRig.LIKE, 1, true);
    rebuild(OTHER);
    fold(0, unfolded().subList(0, 1));
    assertThat(view.floor(POST)).isNull();
    assertThat(view.floor(OTHER)).isEqualTo(2);
  }

  @Test
  void batch_beyond_the_stored_offset_is_refused_and_changes_nothing() {
    likes(1, 2);
    List<Event> events = unfolded();
    fold(0, events.subList(0, 1));
    var before = view.everything();
    assertThat(fold(2, events.subList(1, 2))).isEqualTo(new Fold.Beyond(1));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void batch_from_the_start_of_the_log_is_not_beyond() {
    likes(1);
    Batch batch = new Batch(50, 51, 50, unfolded());
    assertThat(rig.fold.run(LaneRig.LANE, batch)).isEqualTo(new Fold.Folded(1, 51, 1, 0, 0, 0, 0));
    assertThat(view.lane()).containsEntry("offset", "51");
  }

  @Test
  void batch_beyond_the_start_of_the_log_is_refused_with_that_start() {
    likes(1);
    assertThat(rig.fold.run(LaneRig.LANE, new Batch(51, 52, 50, unfolded())))
        .isEqualTo(new Fold.Beyond(50));
    assertThat(rig.folded()).isZero();
  }

  @Test
  void stored_offset_follows_the_batches_and_never_goes_back() {
    likes(1, 2, 3);
    List<Event> events = unfolded();
    fold(0, events);
    assertThat(view.lane()).containsEntry("offset", "3");
    assertThat(fold(0, events.subList(0, 1))).isEqualTo(new Fold.Folded(3, 3, 0, 1, 0, 0, 0));
    assertThat(view.lane()).containsEntry("offset", "3");
  }

  /** Else a recovery, which reads the log once and in order, would not find what was folded. */
  @Test
  void event_behind_a_gap_is_not_taken_when_its_offset_is_read_again() {
    likes(1, 2);
    List<Event> events = unfolded();
    List<Event> swapped = List.of(events.get(1), events.get(0));
    assertThat(fold(0, swapped)).isEqualTo(new Fold.Folded(1, 2, 1, 0, 1, 0, 0));
    var before = view.everything();
    assertThat(fold(0, swapped)).isEqualTo(new Fold.Folded(1, 2, 0, 2, 0, 0, 0));
    assertThat(view.everything()).isEqualTo(before);
    assertThat(fold(2, events.subList(1, 2))).isEqualTo(new Fold.Folded(2, 3, 1, 0, 0, 0, 0));
  }

  @Test
  void batch_that_begins_before_the_stored_offset_and_goes_beyond_it_is_refused() {
    likes(1, 2, 3);
    List<Event> events = unfolded();
    fold(0, events.subList(0, 2));
    var before = view.everything();
    assertThat(fold(1, events.subList(1, 3))).isEqualTo(new Fold.Beyond(2));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void batch_without_events_moves_the_offset() {
    assertThat(rig.fold.run(LaneRig.LANE, new Batch(0, 7, 0, List.of())))
        .isEqualTo(new Fold.Folded(0, 7, 0, 0, 0, 0, 0));
    assertThat(view.lane()).containsEntry("offset", "7");
  }

  @Test
  void outbox_entry_lives_until_its_last_event_is_folded() {
    batch(1, 2);
    batch(3);
    List<Event> events = unfolded();
    fold(0, events.subList(0, 1));
    assertThat(view.outbox()).containsExactly("2-0", "3-0");
    fold(1, events.subList(1, 2));
    assertThat(view.outbox()).containsExactly("3-0");
    fold(2, events.subList(2, 3));
    assertThat(view.outbox()).isEmpty();
  }

  @Test
  void lane_open_in_another_life_changes_nothing() {
    likes(1);
    List<Event> events = unfolded();
    var before = view.everything();
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThat(later.fold.run(LaneRig.LANE, new Batch(0, 1, 0, events)))
        .isEqualTo(new Fold.Closed());
    assertThat(view.everything()).isEqualTo(before);
  }

  private static Event inEpoch(long epoch, Event event) {
    return new Event(
        epoch,
        event.lane(),
        event.seq(),
        event.entity(),
        event.metric(),
        event.userId(),
        event.delta(),
        event.ts());
  }

  private void likes(long... users) {
    for (long user : users) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
  }

  private void batch(long... users) {
    List<Toggle> toggles =
        Arrays.stream(users).mapToObj(user -> new Toggle(POST, LaneRig.LIKE, user, true)).toList();
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 1000, LaneRig.NO_LIMIT));
  }

  private List<Event> unfolded() {
    return rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events();
  }

  private Fold fold(long from, List<Event> events) {
    return rig.fold.run(LaneRig.LANE, new Batch(from, from + events.size(), 0, events));
  }

  private void rebuild(Entity entity) {
    RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, entity, "token", Mode.FORCE, LaneRig.steps(100)));
  }

  @Test
  void a_malformed_bucket_costs_its_counter_and_no_other_bucket_a_count() {
    for (String wrong : List.of("not a hash", "not a number")) {
      LaneRig own = LaneRig.open();
      LaneView seen = new LaneView(own);
      for (int i = 1; i <= 6; i++) {
        own.toggle(new Entity("post", Integer.toString(i)), LaneRig.LIKE, 1, true);
      }
      byte[] bucket = LaneKeys.bytes("agg:" + LaneRig.LANE.tag() + ":v1:post:3");
      if (wrong.equals("not a hash")) {
        RedisReplies.await(own.redis.commands().set(bucket, LaneKeys.bytes("x")));
      } else {
        RedisReplies.await(
            own.redis.commands().hset(bucket, LaneKeys.bytes("1"), LaneKeys.bytes("x")));
      }
      assertThat(own.foldAll(0)).isEqualTo(new Fold.Folded(6, 6, 6, 0, 0, 0, 0));
      assertThat(own.foldAll(0)).isInstanceOf(Fold.Folded.class);
      assertThat(seen.bucket(new Entity("post", "1"))).isEqualTo(Map.of("1", "1"));
      var flushed = own.flush.run(LaneRig.LANE, 100, 100);
      assertThat(flushed.rebuilt()).isEqualTo(6);
      for (int i = 1; i <= 6; i++) {
        assertThat(own.counter(new Entity("post", Integer.toString(i)))[7]).isEqualTo((byte) 1);
      }
    }
  }
}
