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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class StatusScriptIT {

  private static final Entity POST = new Entity("post", "1");
  private static final Entity OTHER = new Entity("post", "2");
  private static final List<Metric> METRICS = List.of(LaneRig.LIKE, LaneRig.FAV);

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void facts_are_told_entity_by_entity_and_metric_by_metric() {
    rig.toggle(POST, LaneRig.FAV, 7, true);
    rig.toggle(OTHER, LaneRig.LIKE, 7, true);
    assertThat(status(rig, 7, POST, OTHER)).containsExactly(false, true, true, false);
    assertThat(status(rig, 7, OTHER, POST)).containsExactly(true, false, false, true);
  }

  @Test
  void facts_of_other_users_are_not_told() {
    rig.toggle(POST, LaneRig.LIKE, 7, true);
    assertThat(status(rig, 8, POST)).containsExactly(false, false);
    assertThat(status(rig, 7 + 32_768, POST)).containsExactly(false, false);
  }

  @Test
  void user_ids_beyond_doubles_are_told_apart() {
    rig.toggle(POST, LaneRig.LIKE, Long.MAX_VALUE, true);
    rig.toggle(POST, LaneRig.LIKE, (1L << 53) + 1, true);
    assertThat(status(rig, Long.MAX_VALUE, POST)).containsExactly(true, false);
    assertThat(status(rig, Long.MAX_VALUE - 1, POST)).containsExactly(false, false);
    assertThat(status(rig, (1L << 53) + 1, POST)).containsExactly(true, false);
    assertThat(status(rig, 1L << 53, POST)).containsExactly(false, false);
  }

  @Test
  void asking_for_facts_that_never_were_leaves_no_key() {
    var before = view.everything();
    assertThat(status(rig, 7, POST, OTHER)).containsOnly(false);
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void facts_of_several_users_are_told_together() {
    rig.toggle(POST, LaneRig.LIKE, 7, true);
    rig.toggle(OTHER, LaneRig.LIKE, 8, true);
    List<Fact> facts =
        List.of(
            new Fact(POST, LaneRig.LIKE, 8),
            new Fact(POST, LaneRig.LIKE, 7),
            new Fact(OTHER, LaneRig.LIKE, 8));
    assertThat(RedisReplies.await(new StatusScript(rig.scripts).run(LaneRig.LANE, facts)))
        .containsExactly(false, true, true);
  }

  @Test
  void asking_for_nothing_answers_nothing() {
    assertThat(status(rig, 7)).isEmpty();
  }

  @Test
  void closed_lane_still_tells_its_facts() {
    rig.toggle(POST, LaneRig.LIKE, 7, true);
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThat(status(later, 7, POST)).containsExactly(true, false);
  }

  @Test
  void without_memory_facts_are_still_told() {
    rig.toggle(POST, LaneRig.LIKE, 7, true);
    view.outOfMemory(() -> assertThat(status(rig, 7, POST)).containsExactly(true, false));
  }

  private static List<Boolean> status(LaneRig rig, long user, Entity... entities) {
    return RedisReplies.await(
        new StatusScript(rig.scripts)
            .run(
                LaneRig.LANE,
                Stream.of(entities)
                    .flatMap(
                        entity -> METRICS.stream().map(metric -> new Fact(entity, metric, user)))
                    .toList()));
  }
}
