package dev.bitfold.memory;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;

/** Plain writes to Redis, many on their way at a time. */
final class Writes {

  private static final int MOST_ON_THEIR_WAY = 10_000;

  private final RedisNodes redis;
  private final Deque<CompletionStage<?>> onTheirWay = new ArrayDeque<>();

  Writes(RedisNodes redis) {
    this.redis = redis;
  }

  void set(String key, long number) {
    set(key, bytes(number));
  }

  void set(String key, byte[] value) {
    sent(redis.commands().set(LaneKeys.bytes(key), value));
  }

  void sadd(String key, long member) {
    sent(redis.commands().sadd(LaneKeys.bytes(key), bytes(member)));
  }

  void setbit(String key, long bit) {
    sent(redis.commands().setbit(LaneKeys.bytes(key), bit, 1));
  }

  void hset(String key, long field) {
    hset(key, Long.toString(field), 1);
  }

  void hset(String key, String field, long number) {
    sent(redis.commands().hset(LaneKeys.bytes(key), LaneKeys.bytes(field), bytes(number)));
  }

  void done() {
    while (!onTheirWay.isEmpty()) {
      RedisReplies.await(onTheirWay.remove());
    }
  }

  private void sent(CompletionStage<?> write) {
    onTheirWay.add(write);
    if (onTheirWay.size() >= MOST_ON_THEIR_WAY) {
      RedisReplies.await(onTheirWay.remove());
    }
  }

  private static byte[] bytes(long number) {
    return LaneKeys.bytes(Long.toString(number));
  }
}
