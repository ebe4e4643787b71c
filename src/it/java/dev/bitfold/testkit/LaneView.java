package dev.bitfold.testkit;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at the keys of the rig's lane, and writes them by hand, past all scripts. */
public final class LaneView {

  private static final String TAG = LaneRig.LANE.tag();

  private final RedisNodes redis;

  public LaneView(LaneRig rig) {
    this.redis = rig.redis;
  }

  /** Every key with its dumped value: equal before and after what changed nothing. */
  public Map<String, String> everything() {
    Map<String, String> data = new TreeMap<>();
    for (byte[] key : RedisReplies.await(redis.commands().keys("*"))) {
      byte[] value = RedisReplies.await(redis.commands().dump(key));
      data.put(LaneKeys.text(key), HexFormat.of().formatHex(value));
    }
    return data;
  }

  /** Names of all keys of the facts of an entity. */
  public List<String> factKeys(Entity entity) {
    return keys().stream()
        .filter(key -> key.matches("(ids|bm|shards):.*"))
        .filter(key -> key.contains(":" + entity + ":") || key.endsWith(":" + entity))
        .toList();
  }

  public List<String> keys() {
    return RedisReplies.await(redis.commands().keys("*")).stream()
        .map(LaneKeys::text)
        .sorted()
        .toList();
  }

  /** The floor of an entity, null if it has none. */
  public @Nullable Long floor(Entity entity) {
    Double score =
        RedisReplies.await(redis.commands().zscore(key("floor:" + TAG), key(entity.toString())));
    return score == null ? null : score.longValue();
  }

  /** The bucket of an entity: field index to delta. */
  public Map<String, String> bucket(Entity entity) {
    return hash(bucketKey(entity));
  }

  public void bucket(Entity entity, int index, long delta) {
    RedisReplies.await(
        redis
            .commands()
            .hset(key(bucketKey(entity)), key(Integer.toString(index)), key(Long.toString(delta))));
    RedisReplies.await(redis.commands().sadd(key("dirty:" + TAG), key(entity.toString())));
  }

  /** Writes a bucket by hand, in whatever form. */
  public void bucket(Entity entity, String field, String value) {
    RedisReplies.await(redis.commands().hset(key(bucketKey(entity)), key(field), key(value)));
    RedisReplies.await(redis.commands().sadd(key("dirty:" + TAG), key(entity.toString())));
  }

  /** Puts a text where the bucket should be. */
  public void textForBucket(Entity entity) {
    loseBucket(entity);
    RedisReplies.await(redis.commands().set(key(bucketKey(entity)), key("not a bucket")));
  }

  public void loseBucket(Entity entity) {
    RedisReplies.await(redis.commands().del(key(bucketKey(entity))));
  }

  /** Takes an entity out of the dirty set; its bucket stays. */
  public void clean(Entity entity) {
    RedisReplies.await(redis.commands().srem(key("dirty:" + TAG), key(entity.toString())));
  }

  /** The lines of the audit: id, entity, cause, before, after, epoch, seq; without their time. */
  public List<String> audit() {
    return RedisReplies.await(redis.commands().xrange(key("audit:" + TAG), Range.unbounded()))
        .stream()
        .map(
            message -> {
              Map<String, String> line = new HashMap<>();
              message
                  .getBody()
                  .forEach((name, value) -> line.put(LaneKeys.text(name), LaneKeys.text(value)));
              return "%s %s %s %s %s epoch %s seq %s"
                  .formatted(
                      message.getId(),
                      line.get("entity"),
                      line.get("cause"),
                      line.get("before"),
                      line.get("after"),
                      line.get("epoch"),
                      line.get("seq"));
            })
        .toList();
  }

  /** Makes a fact hold or not, past all scripts: in its dense shard, or else in the first one. */
  public void fact(String metric, Entity entity, long user, boolean holds) {
    byte[] dense = key("bm:" + TAG + ":" + metric + ":" + entity + ":" + (user >>> 15));
    byte[] first = key("ids:" + TAG + ":" + metric + ":" + entity);
    byte[] id = key(Long.toString(user));
    if (RedisReplies.await(redis.commands().exists(dense)) == 1) {
      RedisReplies.await(redis.commands().setbit(dense, user & 32767, holds ? 1 : 0));
    } else {
      RedisReplies.await(
          holds ? redis.commands().sadd(first, id) : redis.commands().srem(first, id));
    }
  }

  /** User ids that have the metric on the entity, whatever forms they are kept in. */
  public List<Long> users(String metric, Entity entity) {
    List<Long> users = new ArrayList<>();
    for (String name : factKeys(entity)) {
      if (name.startsWith("ids:" + TAG + ":" + metric + ":")) {
        RedisReplies.await(redis.commands().smembers(key(name)))
            .forEach(user -> users.add(Long.valueOf(LaneKeys.text(user))));
      } else if (name.startsWith("bm:" + TAG + ":" + metric + ":")) {
        long chunk = Long.parseLong(name.substring(name.lastIndexOf(':') + 1));
        byte[] bytes = RedisReplies.await(redis.commands().get(key(name)));
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
          if ((bytes[bit / 8] >> (7 - bit % 8) & 1) == 1) {
            users.add((chunk << 15) + bit);
          }
        }
      }
    }
    return users.stream().sorted().toList();
  }

  public List<String> dirty() {
    return new TreeSet<>(
            RedisReplies.await(redis.commands().smembers(key("dirty:" + TAG))).stream()
                .map(LaneKeys::text)
                .toList())
        .stream().toList();
  }

  /** The fields of a counter, empty if it has none. */
  public List<Long> counter(Entity entity) {
    byte[] raw = raw().get(LaneRig.LANE, entity);
    List<Long> fields = new ArrayList<>();
    if (raw != null) {
      ByteBuffer buffer = ByteBuffer.wrap(raw);
      while (buffer.hasRemaining()) {
        fields.add(Integer.toUnsignedLong(buffer.getInt()));
      }
    }
    return fields;
  }

  /** Names of the entities in each page of counters that has any, by its number. */
  public Map<Integer, Set<String>> pages() {
    Map<Integer, Set<String>> pages = new TreeMap<>();
    for (String name : keys()) {
      if (name.startsWith("cnt:")) {
        pages.put(
            Integer.valueOf(name.substring(name.lastIndexOf(':') + 1)),
            new TreeSet<>(hash(name).keySet()));
      }
    }
    return pages;
  }

  /** How many pages the lane says it has. */
  public int pageCount() {
    return Integer.parseInt(lane().getOrDefault("v1:pages", "1"));
  }

  /** Writes a counter by hand. */
  public void counter(Entity entity, long... fields) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * fields.length);
    for (long field : fields) {
      buffer.putInt((int) field);
    }
    raw().put(LaneRig.LANE, entity, buffer.array());
  }

  /** Writes bytes that are no counter. */
  public void malformed(Entity entity, byte[] bytes) {
    raw().put(LaneRig.LANE, entity, bytes);
  }

  /** Puts a list where the page of the counter should be. */
  public void listForCounter(Entity entity) {
    raw().listForPage(LaneRig.LANE, entity);
  }

  public void lose(Entity entity) {
    raw().lose(LaneRig.LANE, entity);
  }

  /** The lane hash. */
  public Map<String, String> lane() {
    return hash("lane:" + TAG);
  }

  public void lane(String field, String value) {
    RedisReplies.await(redis.commands().hset(key("lane:" + TAG), key(field), key(value)));
  }

  public void folded(long number) {
    RedisReplies.await(
        redis
            .commands()
            .hset(key("folded:" + TAG), key(LaneRig.LANE.toString()), key(Long.toString(number))));
  }

  /** Ids of the entries in the outbox. */
  public List<String> outbox() {
    return RedisReplies.await(redis.commands().xrange(key("outbox:" + TAG), Range.unbounded()))
        .stream()
        .map(message -> message.getId())
        .toList();
  }

  /** The state of a walk over the shards of an entity, empty if there is none. */
  public Map<String, String> walk(Entity entity) {
    return hash("rebuild:" + TAG + ":" + entity);
  }

  /** Milliseconds until a walk is forgotten. */
  public long walkExpires(Entity entity) {
    return RedisReplies.await(redis.commands().pttl(key("rebuild:" + TAG + ":" + entity)));
  }

  public void loseWalk(Entity entity) {
    RedisReplies.await(redis.commands().del(key("rebuild:" + TAG + ":" + entity)));
  }

  /** Runs something while Redis has no memory left to give. */
  public void outOfMemory(Runnable meanwhile) {
    RedisReplies.await(redis.commands().configSet("maxmemory", "1"));
    try {
      meanwhile.run();
    } finally {
      RedisReplies.await(redis.commands().configSet("maxmemory", "0"));
    }
  }

  private Map<String, String> hash(String name) {
    Map<String, String> fields = new TreeMap<>();
    RedisReplies.await(redis.commands().hgetall(key(name)))
        .forEach((field, value) -> fields.put(LaneKeys.text(field), LaneKeys.text(value)));
    return fields;
  }

  private static String bucketKey(Entity entity) {
    return "agg:" + TAG + ":" + LaneRig.SCHEMA.version() + ":" + entity;
  }

  private RawCounters raw() {
    return new RawCounters(redis);
  }

  private static byte[] key(String text) {
    return LaneKeys.bytes(text);
  }
}
