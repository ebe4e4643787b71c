package dev.bitfold.testkit;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisReplies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Counters of five metrics that the service's own scripts have put where they are. Tallies are not
 * counted yet, so buckets of one view are written by hand; the flush makes counters of them. In the
 * end the fields are filled by hand, which does not change their size. Facts are left out.
 */
public final class ManyCounters {

  private static final int BATCH = 500;
  private static final int[] LARGEST = {1_000_000, 100_000, 10_000, 10_000, 1000};

  private final LaneRig rig;
  private final Random random = new Random(1);
  private final Set<Lane> open = new HashSet<>();

  public ManyCounters(LaneRig rig) {
    this.rig = rig;
  }

  /** Totals of five metrics as large as they may be, none of them 0. */
  public static int[] totals(Random random) {
    int[] totals = new int[LARGEST.length];
    for (int i = 0; i < totals.length; i++) {
      totals[i] = 1 + random.nextInt(LARGEST[i]);
    }
    return totals;
  }

  /** Makes counters of entities that have none. */
  public void add(Map<Lane, List<Entity>> entities) {
    entities.forEach(
        (lane, all) -> {
          if (open.add(lane)) {
            rig.claim.run(lane, 1, LaneRig.TOPIC);
            rig.open.run(lane, 1, 0, LaneRig.TOPIC, 0, 0);
          }
          for (int i = 0; i < all.size(); i += BATCH) {
            view(lane, all.subList(i, Math.min(all.size(), i + BATCH)));
            while (rig.flush.run(lane, BATCH, LaneRig.NO_LIMIT).left() > 0) {}
          }
          fill(lane);
        });
  }

  private void view(Lane lane, List<Entity> entities) {
    List<CompletionStage<?>> writes = new ArrayList<>();
    for (Entity entity : entities) {
      byte[] bucket =
          LaneKeys.bytes("agg:" + lane.tag() + ":" + LaneRig.SCHEMA.version() + ":" + entity);
      writes.add(rig.redis.commands().hset(bucket, LaneKeys.bytes("0"), LaneKeys.bytes("1")));
      writes.add(
          rig.redis
              .commands()
              .sadd(LaneKeys.bytes("dirty:" + lane.tag()), LaneKeys.bytes(entity.toString())));
    }
    writes.forEach(RedisReplies::await);
  }

  private void fill(Lane lane) {
    byte[] digits =
        RedisReplies.await(
            rig.redis.commands().hget(LaneKeys.lane(lane), LaneKeys.bytes("v1:pages")));
    int pages = digits == null ? 1 : Integer.parseInt(LaneKeys.text(digits));
    for (int page = 0; page < pages; page++) {
      byte[] key = LaneKeys.counters(lane, LaneRig.SCHEMA, page);
      Map<byte[], byte[]> counters = new HashMap<>();
      for (byte[] entity : RedisReplies.await(rig.redis.commands().hkeys(key))) {
        ByteBuffer bytes = ByteBuffer.allocate(LaneRig.SCHEMA.counterBytes());
        for (int total : totals(random)) {
          bytes.putInt(total);
        }
        counters.put(entity, bytes.array());
      }
      if (!counters.isEmpty()) {
        RedisReplies.await(rig.redis.commands().hset(key, counters));
      }
    }
  }
}
