package dev.bitfold.chaos;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Invariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits until nothing is on its way any more and the invariant holds in every lane. */
final class Quiet {

  private final Deployment deployment;

  Quiet(Deployment deployment) {
    this.deployment = deployment;
  }

  /** Fails if it takes longer than tests may wait for anything. */
  void await() {
    List<String> lately = new ArrayList<>();
    try {
      Await.until(
          "everything exact again",
          () -> {
            lately.clear();
            lately.addAll(disquiet());
            return lately.isEmpty();
          });
    } catch (RuntimeException late) {
      throw new IllegalStateException("not exact in time: " + lately, late);
    }
  }

  private List<String> disquiet() {
    List<String> found = new ArrayList<>();
    int open = deployment.lanesIn("open");
    if (open != deployment.lanes.count()) {
      found.add(open + " lanes open");
      return found;
    }
    try {
      for (Lane lane : deployment.allLanes()) {
        inspect(lane, found);
      }
    } catch (RedisUnavailableException away) {
      found.add(String.valueOf(away.getMessage()));
    }
    return found;
  }

  private void inspect(Lane lane, List<String> found) {
    RedisNodes redis = deployment.redis.direct();
    var commands = redis.commands();
    var open = commands.hget(LaneKeys.lane(lane), LaneKeys.bytes("open"));
    var seq = commands.hget(LaneKeys.lane(lane), LaneKeys.bytes("seq"));
    var folded = commands.hget(LaneKeys.folded(lane), LaneKeys.bytes(lane.toString()));
    var waiting = commands.xlen(LaneKeys.bytes("outbox:" + lane.tag()));
    var dirty = commands.scard(LaneKeys.bytes("dirty:" + lane.tag()));
    var untold = commands.xlen(LaneKeys.bytes("audit:" + lane.tag()));
    long behind = number(RedisReplies.await(seq)) - number(RedisReplies.await(folded));
    byte[] life = RedisReplies.await(open);
    if (life == null || !LaneKeys.text(life).equals(deployment.redis.master().runId())) {
      found.add("lane " + lane + " is not open in this life of Redis");
    } else if (behind != 0 || RedisReplies.await(waiting) > 0 || RedisReplies.await(dirty) > 0) {
      found.add("lane " + lane + " is " + behind + " events behind");
    } else if (RedisReplies.await(untold) > 0) {
      found.add("lane " + lane + " has audit lines that are not in the table");
    } else {
      found.addAll(Invariant.violations(redis, lane));
    }
  }

  private static long number(byte @Nullable [] digits) {
    return digits == null ? 0 : Long.parseLong(LaneKeys.text(digits));
  }
}
