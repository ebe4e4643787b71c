package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class CountScriptIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void facts_are_counted_over_all_shards_of_each_metric() {
    for (long user : new long[] {1, 2, 32_768, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE}) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
    rig.toggle(POST, LaneRig.FAV, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 2, false);
    assertThat(count(rig, 100)).contains(Map.of(LaneRig.LIKE, 5L, LaneRig.FAV, 1L));
  }

  @Test
  void counters_have_no_say_in_an_exact_count() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    view.counter(POST, 9, 9, 9, 9, 9);
    assertThat(count(rig, 100)).contains(Map.of(LaneRig.LIKE, 1L, LaneRig.FAV, 0L));
    view.lose(POST);
  }

  @Test
  void metrics_are_answered_in_the_order_asked() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    List<Metric> turned = List.of(LaneRig.FAV, LaneRig.LIKE);
    assertThat(
            RedisReplies.await(new CountScript(rig.scripts).run(LaneRig.LANE, POST, turned, 100)))
        .contains(Map.of(LaneRig.LIKE, 1L, LaneRig.FAV, 0L));
  }

  @Test
  void entity_without_facts_counts_zero_and_leaves_no_key() {
    var before = view.everything();
    assertThat(count(rig, 0)).contains(Map.of(LaneRig.LIKE, 0L, LaneRig.FAV, 0L));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void as_many_shards_as_allowed_are_counted_and_one_more_is_large() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    rig.toggle(POST, LaneRig.LIKE, 40_000, true);
    rig.toggle(POST, LaneRig.FAV, 1, true);
    assertThat(count(rig, 3)).contains(Map.of(LaneRig.LIKE, 2L, LaneRig.FAV, 1L));
    assertThat(count(rig, 2)).isEmpty();
    assertThat(count(rig, 1)).isEmpty();
    assertThat(count(rig, 0)).isEmpty();
  }

  @Test
  void closed_lane_still_counts() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThat(count(later, 10)).contains(Map.of(LaneRig.LIKE, 1L, LaneRig.FAV, 0L));
  }

  private static Optional<Map<Metric, Long>> count(LaneRig rig, int shards) {
    return RedisReplies.await(
        new CountScript(rig.scripts)
            .run(LaneRig.LANE, POST, List.of(LaneRig.LIKE, LaneRig.FAV), shards));
  }
}
