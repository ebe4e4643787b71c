package dev.bitfold.fact;

import static dev.bitfold.fact.Change.CHANGED;
import static dev.bitfold.fact.Change.FAILED;
import static dev.bitfold.fact.Change.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InvariantExtension.class)
class ToggleScriptIT {

  private static final Entity POST = new Entity("post", "42");
  private static final Entity OTHER = new Entity("post", "43");
  private static final long BEYOND_DOUBLES = 1L << 53;

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);
  private final StatusScript status = new StatusScript(rig.scripts);

  @Test
  void changed_toggle_sets_the_fact_and_issues_the_next_number() {
    Applied applied = rig.toggle(POST, LaneRig.LIKE, 9, true);
    assertThat(applied).isEqualTo(new Applied(1, 1, 1, List.of(CHANGED), ""));
    assertThat(holds(POST, 9)).isTrue();
    assertThat(events())
        .containsExactly(new Event(1, LaneRig.LANE, 1, POST, LaneRig.LIKE, 9, 1, 1000));
  }

  @Test
  void unchanged_toggle_emits_no_event() {
    rig.toggle(POST, LaneRig.LIKE, 9, true);
    var before = view.everything();
    assertThat(rig.toggle(POST, LaneRig.LIKE, 9, true))
        .isEqualTo(new Applied(1, 1, 1, List.of(UNCHANGED), ""));
    assertThat(rig.toggle(POST, LaneRig.FAV, 9, false).changed()).isZero();
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void fact_taken_back_emits_the_opposite_event() {
    rig.toggle(POST, LaneRig.LIKE, 9, true);
    rig.toggle(POST, LaneRig.LIKE, 9, false);
    assertThat(holds(POST, 9)).isFalse();
    assertThat(events()).extracting(Event::delta).containsExactly(1, -1);
    assertThat(events()).extracting(Event::seq).containsExactly(1L, 2L);
  }

  @Test
  void facts_of_other_metrics_and_entities_are_not_touched() {
    rig.toggle(POST, LaneRig.LIKE, 9, true);
    assertThat(rig.toggle(POST, LaneRig.FAV, 9, true).changed()).isEqualTo(1);
    assertThat(rig.toggle(OTHER, LaneRig.LIKE, 9, true).changed()).isEqualTo(1);
    rig.toggle(POST, LaneRig.LIKE, 9, false);
    assertThat(holds(OTHER, 9)).isTrue();
    assertThat(
            RedisReplies.await(
                status.run(
                    LaneRig.LANE,
                    List.of(new Fact(POST, LaneRig.LIKE, 9), new Fact(POST, LaneRig.FAV, 9)))))
        .containsExactly(false, true);
  }

  @Test
  void batch_shares_one_stream_entry() {
    Applied applied =
        toggle(
            LaneRig.NO_LIMIT,
            new Toggle(POST, LaneRig.LIKE, 1, true),
            new Toggle(POST, LaneRig.LIKE, 1, true),
            new Toggle(OTHER, LaneRig.FAV, 2, true),
            new Toggle(OTHER, LaneRig.FAV, 3, false),
            new Toggle(POST, LaneRig.LIKE, 1, false));
    assertThat(applied.changes()).containsExactly(CHANGED, UNCHANGED, CHANGED, UNCHANGED, CHANGED);
    assertThat(applied.seq()).isEqualTo(3);
    assertThat(view.outbox()).containsExactly("3-0");
    assertThat(events())
        .extracting(event -> event.seq() + " " + event.entity() + " " + event.delta())
        .containsExactly("1 post:42 1", "2 post:43 1", "3 post:42 -1");
  }

  @Test
  void batch_that_changes_nothing_leaves_no_entry() {
    toggle(
        LaneRig.NO_LIMIT,
        new Toggle(POST, LaneRig.LIKE, 1, false),
        new Toggle(POST, LaneRig.FAV, 1, false));
    assertThat(view.outbox()).isEmpty();
    assertThat(view.factKeys(POST)).isEmpty();
    assertThat(rig.seq()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 32_767, 32_768, BEYOND_DOUBLES, BEYOND_DOUBLES + 1, Long.MAX_VALUE})
  void every_user_id_keeps_all_its_digits(long user) {
    rig.toggle(POST, LaneRig.LIKE, user, true);
    assertThat(holds(POST, user)).isTrue();
    assertThat(holds(POST, user - 1)).isFalse();
    assertThat(holds(POST, user ^ 32_768)).isFalse();
    assertThat(events()).extracting(Event::userId).containsExactly(user);
    assertThat(view.users("like", POST)).containsExactly(user);
    assertThat(rig.toggle(POST, LaneRig.LIKE, user, true).changed()).isZero();
  }

  @Test
  void neighbours_above_two_to_the_53_are_two_users() {
    rig.toggle(POST, LaneRig.LIKE, BEYOND_DOUBLES, true);
    assertThat(rig.toggle(POST, LaneRig.LIKE, BEYOND_DOUBLES + 1, true).changed()).isEqualTo(1);
    rig.toggle(POST, LaneRig.LIKE, BEYOND_DOUBLES, false);
    assertThat(holds(POST, BEYOND_DOUBLES + 1)).isTrue();
  }

  @Test
  void numbers_of_sixteen_digits_keep_all_their_digits() {
    view.lane("seq", "999999999999999");
    view.folded(999_999_999_999_999L);
    Applied applied =
        toggle(
            LaneRig.NO_LIMIT,
            new Toggle(POST, LaneRig.LIKE, 1, true),
            new Toggle(POST, LaneRig.LIKE, 2, true));
    assertThat(applied.seq()).isEqualTo(1_000_000_000_000_001L);
    assertThat(view.outbox()).containsExactly("1000000000000001-0");
    assertThat(view.lane()).containsEntry("seq", "1000000000000001");
    assertThat(events())
        .extracting(Event::seq)
        .containsExactly(1_000_000_000_000_000L, 1_000_000_000_000_001L);
    assertThat(rig.foldAll(0)).isEqualTo(new Fold.Folded(1_000_000_000_000_001L, 2, 2, 0, 0, 0, 0));
  }

  @Test
  void full_outbox_changes_nothing() {
    toggle(2, new Toggle(POST, LaneRig.LIKE, 1, true), new Toggle(POST, LaneRig.LIKE, 2, true));
    var before = view.everything();
    assertThatThrownBy(() -> toggle(2, new Toggle(POST, LaneRig.LIKE, 3, true)))
        .isInstanceOf(OutboxFullException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void batch_that_does_not_fit_as_a_whole_is_refused_as_a_whole() {
    var before = view.everything();
    assertThatThrownBy(
            () ->
                toggle(
                    1,
                    new Toggle(POST, LaneRig.LIKE, 1, true),
                    new Toggle(POST, LaneRig.LIKE, 2, true)))
        .isInstanceOf(OutboxFullException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void folding_makes_room_in_the_outbox() {
    toggle(1, new Toggle(POST, LaneRig.LIKE, 1, true));
    rig.foldAll(0);
    assertThat(toggle(1, new Toggle(POST, LaneRig.LIKE, 2, true)).changed()).isEqualTo(1);
  }

  @Test
  void lane_open_in_another_life_changes_nothing() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    var before = view.everything();
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThatThrownBy(() -> later.toggle(POST, LaneRig.LIKE, 2, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void lane_that_was_never_opened_changes_nothing() {
    TestRedis.empty();
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 2, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(Map.of());
  }

  @Test
  void without_memory_a_toggle_is_refused_as_a_whole_while_fold_and_flush_go_on() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    List<Event> events = events();
    var before = view.everything();
    view.outOfMemory(
        () -> {
          assertThatThrownBy(
                  () ->
                      toggle(
                          LaneRig.NO_LIMIT,
                          new Toggle(POST, LaneRig.LIKE, 1, false),
                          new Toggle(OTHER, LaneRig.LIKE, 2, true)))
              .isInstanceOf(RedisUnavailableException.class)
              .hasMessageContaining("OOM");
          assertThat(view.everything()).isEqualTo(before);
          assertThat(holds(POST, 1)).isTrue();
          assertThat(rig.fold.run(LaneRig.LANE, new Batch(0, 1, 0, events)))
              .isEqualTo(new Fold.Folded(1, 1, 1, 0, 0, 0, 0));
          assertThat(rig.flush.run(LaneRig.LANE, 10, 10).rebuilt()).isEqualTo(1);
        });
    assertThat(view.counter(POST)).containsExactly(0L, 1L, 0L, 0L, 0L);
    assertThat(rig.toggle(OTHER, LaneRig.LIKE, 2, true).changed()).isEqualTo(1);
  }

  @Test
  void damaged_facts_fail_alone() {
    byte[] shard = LaneKeys.bytes("ids:{3}:like:" + POST);
    RedisReplies.await(rig.redis.commands().set(shard, shard));
    Applied applied =
        toggle(
            LaneRig.NO_LIMIT,
            new Toggle(OTHER, LaneRig.LIKE, 1, true),
            new Toggle(POST, LaneRig.LIKE, 2, true),
            new Toggle(OTHER, LaneRig.FAV, 3, true));
    assertThat(applied.changes()).containsExactly(CHANGED, FAILED, CHANGED);
    assertThat(applied.part(0, 1).whole().changes()).containsExactly(CHANGED);
    assertThatThrownBy(() -> applied.part(1, 2).whole())
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(events()).extracting(Event::entity).containsExactly(OTHER, OTHER);
    RedisReplies.await(rig.redis.commands().del(shard));
  }

  @Test
  void fact_that_changed_before_something_else_failed_has_its_event() {
    byte[] walk = LaneKeys.bytes("rebuild:{3}:" + POST);
    RedisReplies.await(rig.redis.commands().set(walk, walk));
    Applied applied = toggle(LaneRig.NO_LIMIT, new Toggle(POST, LaneRig.LIKE, 2, true));
    assertThat(applied.changes()).containsExactly(FAILED);
    assertThat(holds(POST, 2)).isTrue();
    assertThat(events()).extracting(Event::userId).containsExactly(2L);
    view.loseWalk(POST);
  }

  private Applied toggle(int outboxLimit, Toggle... toggles) {
    return RedisReplies.await(rig.toggle.run(LaneRig.LANE, List.of(toggles), 1000, outboxLimit));
  }

  private List<Event> events() {
    return rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events();
  }

  private boolean holds(Entity entity, long user) {
    return RedisReplies.await(
            status.run(LaneRig.LANE, List.of(new Fact(entity, LaneRig.LIKE, user))))
        .get(0);
  }
}
