package dev.bitfold.testkit;

import dev.bitfold.embedded.RedisServer;
import java.nio.file.Path;

/** What a Redis had on disk at some time, to put it back later. */
public record RedisCopy(Path files) {

  /** Copies the state of a Redis, which is down for a moment. */
  public static RedisCopy of(RedisServer redis) {
    RedisCopy copy = new RedisCopy(FreshDirectory.named("copy"));
    redis.stop();
    new AppendOnlyFile(redis).copyTo(copy.files);
    redis.start();
    return copy;
  }

  /** Kills the Redis and starts it with this copy. */
  public void restore(RedisServer redis) {
    redis.kill();
    new AppendOnlyFile(redis).replaceBy(files);
    redis.start();
  }
}
