package dev.bitfold.counter;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/**
 * How many pages each lane has, as far as this process knows, and which one an entity is in.
 * Scripts deal counters out to pages, see {@code lua/counter/pages.inc.lua}. A number may be old:
 * then a counter that has moved seems to be missing, whoever finds it tells {@link #forget}, and
 * the number is asked for again.
 */
public final class CounterPages {

  private static final int UNKNOWN = 0;

  private final RedisNodes redis;
  private final byte[] field;
  private final AtomicIntegerArray known;

  CounterPages(RedisNodes redis, Lanes lanes, Schema schema) {
    this.redis = redis;
    this.field = LaneKeys.bytes(schema.version() + ":pages");
    this.known = new AtomicIntegerArray(lanes.count());
  }

  /** The page of an entity in a lane of so many pages. */
  static int pageOf(Entity entity, int pages) {
    return pageOf(ByteBuffer.wrap(DigestUtils.sha1(entity.toString())).getInt(), pages);
  }

  /** The page of a digest: as many of its last bits as there are pages for. */
  static int pageOf(int digest, int pages) {
    int page = digest & (size(pages) - 1);
    return page < pages ? page : page - size(pages) / 2;
  }

  /** How many last bits the digests of a page have in common. */
  static int bits(int page, int pages) {
    int half = size(pages) / 2;
    boolean split = page >= half || page + half < pages;
    return Integer.numberOfTrailingZeros(split ? size(pages) : half);
  }

  /** The next power of two. */
  private static int size(int pages) {
    return pages == 1 ? 1 : 2 * Integer.highestOneBit(pages - 1);
  }

  /** How many pages the lanes have, in the order given; what is not known is asked in one go. */
  int[] of(List<Lane> lanes) {
    Map<Lane, CompletionStage<Integer>> asked = new HashMap<>();
    int[] pages = new int[lanes.size()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = known.get(lanes.get(i).number());
      if (pages[i] == UNKNOWN) {
        asked.computeIfAbsent(lanes.get(i), this::ask);
      }
    }
    for (int i = 0; i < pages.length && !asked.isEmpty(); i++) {
      if (pages[i] == UNKNOWN) {
        pages[i] = RedisReplies.await(asked.get(lanes.get(i)));
      }
    }
    return pages;
  }

  private CompletionStage<Integer> ask(Lane lane) {
    return redis
        .commands()
        .hget(LaneKeys.lane(lane), field)
        .thenApply(
            (byte @Nullable [] digits) -> {
              int pages = digits == null ? 1 : Integer.parseInt(LaneKeys.text(digits));
              known.set(lane.number(), pages);
              return pages;
            });
  }

  void forget(Lane lane) {
    known.set(lane.number(), UNKNOWN);
  }
}
