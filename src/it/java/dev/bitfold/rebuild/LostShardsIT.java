package dev.bitfold.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.testkit.LaneRig;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody has deleted shards: what is left is counted, and counted once. */
class LostShardsIT {

  private static final Entity POST = new Entity("post", "1");
  private static final int SHARD_IDS = 4;
  private static final long CHUNK = 32_768;
  private static final int USERS = 40;

  private final LaneRig rig = LaneRig.open(SHARD_IDS, LaneRig.PAGE_COUNTERS);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void a_walk_counts_what_is_left_once(int shardsOfAStep) {
    for (int user = 0; user < USERS; user++) {
      rig.toggle(POST, LaneRig.LIKE, 1 + user * CHUNK, true);
    }
    List<byte[]> shards =
        RedisReplies.await(rig.redis.commands().keys("ids:" + LaneRig.LANE.tag() + ":*"));
    for (int lost = 0; lost < shards.size(); lost++) {
      RedisReplies.await(rig.redis.commands().del(shards.get(lost)));
      assertThat(walk(shardsOfAStep)).as("%d shards lost", lost + 1).isEqualTo(left(shards));
    }
  }

  private long left(List<byte[]> shards) {
    return shards.stream()
        .mapToLong(shard -> RedisReplies.await(rig.redis.commands().scard(shard)))
        .sum();
  }

  private long walk(int shards) {
    Step step =
        RedisReplies.await(
            rig.rebuild.first(LaneRig.LANE, POST, "token", Mode.FORCE, LaneRig.steps(shards)));
    while (step instanceof Step.More) {
      step =
          RedisReplies.await(
              rig.rebuild.next(LaneRig.LANE, POST, "token", Mode.FORCE, LaneRig.steps(shards)));
    }
    if (step instanceof Step.Done done) {
      return done.totals().of(LaneRig.LIKE);
    }
    return ((Step.Corrected) step).totals().of(LaneRig.LIKE);
  }
}
