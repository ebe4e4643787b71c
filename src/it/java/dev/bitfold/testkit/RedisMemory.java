package dev.bitfold.testkit;

import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory the data in a Redis takes. */
public record RedisMemory(RedisNodes redis) {

  /** The table of keys has up to twice as many places of 8 bytes as there are keys. */
  private static final long MOST_OF_A_PLACE = 16;

  private static final int SCAN_COUNT = 1000;
  private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d+)");

  /**
   * Bytes of all keys with their values, and of their places in the table of keys. The same on
   * every machine with the same allocator.
   */
  public long ofKeys() {
    long bytes = 0;
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      KeyScanCursor<byte[]> next =
          RedisReplies.await(redis.commands().scan(cursor, ScanArgs.Builder.limit(SCAN_COUNT)));
      List<CompletionStage<Long>> sizes = next.getKeys().stream().map(this::ofKey).toList();
      for (CompletionStage<Long> size : sizes) {
        bytes += RedisReplies.await(size) + MOST_OF_A_PLACE;
      }
      cursor = next;
    }
    return bytes;
  }

  /** What Redis says that it has got from its allocator; moves by some 100 KB without a reason. */
  public long used() {
    Matcher used = USED.matcher(RedisReplies.await(redis.commands().info("memory")));
    if (!used.find()) {
      throw new IllegalStateException("Redis does not tell how much memory it uses");
    }
    return Long.parseLong(used.group(1));
  }

  /** Looks at every element instead of a few. */
  private CompletionStage<Long> ofKey(byte[] key) {
    ByteArrayCodec codec = ByteArrayCodec.INSTANCE;
    return redis
        .commands()
        .dispatch(
            CommandType.MEMORY,
            new IntegerOutput<>(codec),
            new CommandArgs<>(codec).add("USAGE").addKey(key).add("SAMPLES").add(0));
  }
}
