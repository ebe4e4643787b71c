package dev.bitfold.testkit;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Counters as they lie in Redis, read and damaged past all scripts of the service. */
public record RawCounters(RedisNodes redis) {

  /** Finds the page that the entity named in ARGV[1] is in, or would be in. */
  private static final String PAGE =
      """
      local tag = string.match(KEYS[1], '%b{}')
      local entity = ARGV[1]
      local pages = tonumber(redis.call('HGET', KEYS[1], 'v1:pages') or '1')
      local size = 1
      while size < pages do
        size = size * 2
      end
      local number = tonumber(string.sub(redis.sha1hex(entity), 1, 8), 16) % size
      if number >= pages then
        number = number - size / 2
      end
      local page = 'cnt:' .. tag .. ':v1:' .. number
      """;

  /** The bytes of a counter, null if there is none. */
  public byte @Nullable [] get(Lane lane, Entity entity) {
    return RedisReplies.await(
        run("return redis.call('HGET', page, entity)", ScriptOutputType.VALUE, lane, entity));
  }

  public void put(Lane lane, Entity entity, byte[] bytes) {
    RedisReplies.await(
        run(
            "return redis.call('HSET', page, entity, ARGV[2])",
            ScriptOutputType.INTEGER,
            lane,
            entity,
            bytes));
  }

  /** Takes a counter away; answers whether there was one. */
  public boolean lose(Lane lane, Entity entity) {
    Long lost =
        RedisReplies.await(
            run("return redis.call('HDEL', page, entity)", ScriptOutputType.INTEGER, lane, entity));
    return lost == 1;
  }

  /** Puts a list where the page of the entity should be. */
  public void listForPage(Lane lane, Entity entity) {
    RedisReplies.await(
        run(
            "redis.call('DEL', page) return redis.call('RPUSH', page, 'not a counter')",
            ScriptOutputType.INTEGER,
            lane,
            entity));
  }

  /** Runs Lua that finds {@code tag}, {@code entity} and its {@code page} defined. */
  public <T> CompletionStage<T> run(
      String lua, ScriptOutputType output, Lane lane, Entity entity, byte[]... more) {
    byte[][] args = new byte[1 + more.length][];
    args[0] = LaneKeys.bytes(entity.toString());
    System.arraycopy(more, 0, args, 1, more.length);
    return redis.commands().eval(PAGE + lua, output, new byte[][] {LaneKeys.lane(lane)}, args);
  }
}
