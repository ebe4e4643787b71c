package dev.bitfold.testkit;

import dev.bitfold.embedded.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The files of a Redis at one time, to be put back later. */
public final class RedisCopy {

  private final Path files;

  private RedisCopy(Path files) {
    this.files = files;
  }

  /** Stops the Redis, copies what it has and starts it again. */
  public static RedisCopy of(RedisServer redis) throws IOException {
    redis.stop();
    Path files = FreshDirectory.named("copy");
    copy(data(redis), files);
    redis.start();
    return new RedisCopy(files);
  }

  /** Kills the Redis and starts it with this copy. */
  public void restore(RedisServer redis) throws IOException {
    redis.kill();
    try (Stream<Path> old = Files.list(data(redis))) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    copy(files, data(redis));
    redis.start();
  }

  private static Path data(RedisServer redis) {
    return redis.aofManifest().getParent();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
