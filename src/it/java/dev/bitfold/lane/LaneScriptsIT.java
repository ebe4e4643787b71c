package dev.bitfold.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.TestRedis;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class LaneScriptsIT {

  private static final Entity POST = new Entity("post", "1");

  private final RedisNodes redis = TestRedis.empty();
  private final Life life = new Life("life-1");
  private final LaneRig rig = rig();
  private final LaneView view = new LaneView(rig);

  LaneScriptsIT() {
    rig.openIn(1);
  }

  @Test
  void call_prepared_for_another_life_is_refused_and_changes_nothing() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    List<Event> events = rig.outbox.run(LaneRig.LANE, 0, 10).events();
    rig.foldAll(0);
    life.begin(redis, "life-2");
    var before = view.everything();
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 2, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);

    life.begin(redis, "life-3");
    assertThatThrownBy(() -> rig.fold.run(LaneRig.LANE, new Batch(0, 1, 0, events)))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void call_prepared_for_another_life_is_refused_though_the_lane_is_open_again() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    life.begin(redis, "life-2");
    rig().openIn(2);
    var before = view.everything();
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 2, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
    assertThat(rig.toggle(POST, LaneRig.LIKE, 2, true).epoch()).isEqualTo(2);
  }

  @Test
  void caller_that_knows_the_new_life_finds_the_lane_closed_until_it_is_opened() {
    life.begin(redis, "life-2");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 1, true))
          .isInstanceOf(LaneClosedException.class);
    }
    rig.openIn(2);
    assertThat(rig.toggle(POST, LaneRig.LIKE, 1, true).epoch()).isEqualTo(2);
  }

  @Test
  void flushed_script_cache_in_the_same_life_is_survived() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    RedisReplies.await(redis.commands().scriptFlush());
    assertThat(rig.toggle(POST, LaneRig.LIKE, 2, true).seq()).isEqualTo(2);
    RedisReplies.await(redis.commands().scriptFlush());
    rig.foldAll(0);
    assertThat(view.bucket(POST)).containsEntry("1", "2");
  }

  @Test
  void script_not_yet_loaded_when_the_life_ends_is_not_carried_into_the_next() {
    // The rig knows life-1 and has not loaded the toggle; the lane still carries the mark of
    // life-1.
    life.begin(redis, "life-2");
    var before = view.everything();
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 1, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void reading_script_goes_on_in_the_next_life() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    LuaScript status = LuaScript.load("fact/status");
    List<String> fact = List.of("post:1", "like", "1");
    assertThat(rig.scripts.run(status, LaneRig.LANE, fact).text(1)).isEqualTo("1");
    life.begin(redis, "life-2");
    assertThat(rig.scripts.run(status, LaneRig.LANE, fact).text(1)).isEqualTo("1");
  }

  @Test
  void scripts_are_called_by_digest_only() {
    RedisReplies.await(redis.commands().configResetstat());
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    RedisReplies.await(redis.commands().scriptFlush());
    rig.foldAll(0);
    life.begin(redis, "life-2");
    assertThatThrownBy(() -> rig.toggle(POST, LaneRig.LIKE, 2, true))
        .isInstanceOf(LaneClosedException.class);
    assertThat(RedisReplies.await(redis.commands().info("commandstats")))
        .contains("cmdstat_evalsha:")
        .doesNotContain("cmdstat_eval:");
  }

  @Test
  void callers_do_not_share_scripts() {
    RedisReplies.await(redis.commands().scriptFlush());
    rig().toggle(POST, LaneRig.LIKE, 1, true);
    rig().toggle(POST, LaneRig.LIKE, 2, true);
    assertThat(RedisReplies.await(redis.commands().info("memory")))
        .contains("number_of_cached_scripts:2");
  }

  @Test
  void failure_that_is_not_about_scripts_is_passed_on() {
    LuaScript broken = new LuaScript("broken", "#!lua\nreturn redis.call('GET', KEYS[1])\n");
    assertThatThrownBy(() -> rig.scripts.run(broken, LaneRig.LANE, List.of()))
        .hasMessageContaining("WRONGTYPE");
  }

  private LaneRig rig() {
    return new LaneRig(redis, life, UnaryOperator.identity());
  }
}
