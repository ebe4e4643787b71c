package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.counter.Totals;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.OpenScript.Opening;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class ReapplyScriptIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);
  private final LaneRig later =
      new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());

  @Test
  void events_of_the_log_become_toggles_again() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertThat(
            later.reapply.run(
                LaneRig.LANE,
                2,
                1,
                5000,
                List.of(event(2, Long.MAX_VALUE, 1), event(3, 1, -1), event(4, 2, 1))))
        .hasValue(4);
    assertThat(view.outbox()).containsExactly("1-0", "4-0");
    assertThat(later.open.run(LaneRig.LANE, 2, 4, LaneRig.TOPIC, 0, 0)).isEqualTo(Opening.OPEN);
    List<Event> events = later.outbox.run(LaneRig.LANE, 1, 10).events();
    assertThat(events)
        .extracting(event -> event.epoch() + " " + event.seq() + " " + event.delta())
        .containsExactly("2 2 1", "2 3 -1", "2 4 1");
    assertThat(events).extracting(Event::userId).containsExactly(Long.MAX_VALUE, 1L, 2L);
    assertThat(events).extracting(Event::ts).containsOnly(5000L);
    assertThat(step(later, POST)).isEqualTo(new Step.Done(totals(2)));
  }

  @Test
  void recovery_that_goes_on_in_the_middle_knows_where_the_lane_stood() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    later.reapply.run(LaneRig.LANE, 2, 1, 0, List.of(event(2, 2, 1)));
    later.reapply.run(LaneRig.LANE, 2, 2, 0, List.of(event(3, 3, 1)));
    assertThat(later.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC))
        .isEqualTo(new Claim.Claimed(1, 3, 0, 0, LaneRig.TOPIC, 0, 1));
    later.open.run(LaneRig.LANE, 3, 3, LaneRig.TOPIC, 0, 0);
    assertThat(view.lane()).doesNotContainKey("before");
  }

  @Test
  void event_whose_fact_is_already_so_issues_no_number() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertThat(later.reapply.run(LaneRig.LANE, 2, 1, 0, List.of(event(2, 1, 1), event(3, 2, 1))))
        .hasValue(2);
  }

  @Test
  void lane_without_a_claim_is_not_touched() {
    assertRefused(later, 2, 0);
  }

  @Test
  void open_lane_is_not_touched() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    assertRefused(rig, 1, 1);
  }

  @Test
  void lost_claim_changes_nothing() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    later.claim.run(LaneRig.LANE, 3, LaneRig.TOPIC);
    assertRefused(later, 2, 0);
  }

  @Test
  void claim_of_another_life_changes_nothing() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertRefused(new LaneRig(rig.redis, new Life("life-3"), UnaryOperator.identity()), 2, 0);
  }

  @Test
  void lane_that_stands_elsewhere_changes_nothing() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    assertRefused(later, 2, 0);
    assertRefused(later, 2, 2);
  }

  @Test
  void stretch_that_is_sent_twice_is_applied_once() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    List<Event> events = List.of(event(1, 8, 1), event(2, 9, 1));
    assertThat(later.reapply.run(LaneRig.LANE, 2, 0, 0, events)).hasValue(2);
    assertRefused(later, 2, 0);
  }

  @Test
  void walk_under_way_hears_of_what_is_reapplied_behind_its_cursor() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 40_000, true);
    RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, POST, "token", Mode.FORCE, LaneRig.steps(1)));
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    later.reapply.run(LaneRig.LANE, 2, 2, 0, List.of(event(3, 2, 1), event(4, 40_001, 1)));
    later.open.run(LaneRig.LANE, 2, 4, LaneRig.TOPIC, 0, 0);
    assertThat(
            RedisReplies.await(
                later.rebuild.next(LaneRig.LANE, POST, "token", Mode.FORCE, LaneRig.steps(10))))
        .isEqualTo(new Step.Done(totals(4)));
  }

  @Test
  void without_memory_events_are_reapplied_all_the_same() {
    later.claim.run(LaneRig.LANE, 2, LaneRig.TOPIC);
    view.outOfMemory(
        () ->
            assertThat(later.reapply.run(LaneRig.LANE, 2, 0, 0, List.of(event(1, 9, 1))))
                .hasValue(1));
  }

  private void assertRefused(LaneRig caller, long claimed, long seq) {
    var before = view.everything();
    assertThat(caller.reapply.run(LaneRig.LANE, claimed, seq, 0, List.of(event(seq + 1, 77, 1))))
        .isEmpty();
    assertThat(view.everything()).isEqualTo(before);
  }

  private static Step step(LaneRig rig, Entity entity) {
    return RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, entity, "token", Mode.FORCE, LaneRig.steps(10)));
  }

  private static Totals totals(long likes) {
    return new Totals(List.of(0L, likes, 0L, 0L, 0L));
  }

  private static Event event(long seq, long user, int delta) {
    return new Event(1, LaneRig.LANE, seq, POST, LaneRig.LIKE, user, delta, 1000);
  }
}
