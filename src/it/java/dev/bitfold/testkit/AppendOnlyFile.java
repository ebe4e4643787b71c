package dev.bitfold.testkit;

import dev.bitfold.embedded.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** What a Redis has on disk: it can be copied, put back, and lose its end. */
public final class AppendOnlyFile {

  private static final int CUT_SECONDS = 20;

  private final RedisServer redis;

  public AppendOnlyFile(RedisServer redis) {
    this.redis = redis;
  }

  private Path directory() {
    return redis.aofManifest().getParent();
  }

  /** Copies the state. Nobody may write meanwhile. */
  public void copyTo(Path copy) {
    replace(copy, directory());
  }

  /** Puts a copy in the place of the state. Redis must be down. */
  public void replaceBy(Path copy) {
    replace(directory(), copy);
  }

  private static void replace(Path to, Path from) {
    try {
      FileSystemUtils.deleteRecursively(to);
      FileSystemUtils.copyRecursively(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes away what was written after the second of that time, as a crash of the host may; answers
   * whether there was anything. The file must be older than that. Redis must be down.
   */
  public boolean cut(Instant until) {
    long before = bytes();
    Path log = directory().resolveSibling("cut.log");
    try {
      Process cut =
          new ProcessBuilder(
                  redis.checkAof().toString(),
                  "--truncate-to-timestamp",
                  Long.toString(until.getEpochSecond()),
                  redis.aofManifest().toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!cut.waitFor(CUT_SECONDS, TimeUnit.SECONDS) || cut.exitValue() != 0) {
        throw new IllegalStateException("the tail was not cut: " + Files.readString(log));
      }
      return bytes() < before;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private long bytes() {
    try (Stream<Path> files = Files.list(directory())) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
