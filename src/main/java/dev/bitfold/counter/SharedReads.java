package dev.bitfold.counter;

import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.SharedCalls;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Counters that are read at the same time share a round trip. With few under way to a node, others
 * go at once; with more, they wait until those have come: it is the round trips that cost.
 */
final class SharedReads {

  private static final String WRONG_TYPE = "WRONGTYPE";

  private final RedisNodes redis;
  private final SharedCalls.Limits limits;
  private final Clock clock;
  private final ConcurrentMap<String, SharedCalls<List<Field>, List<byte @Nullable []>>> nodes =
      new ConcurrentHashMap<>();

  /** Where a counter lies. */
  record Field(byte[] page, byte[] entity) {}

  SharedReads(RedisNodes redis, CounterSettings settings, Clock clock) {
    this.redis = redis;
    this.clock = clock;
    this.limits =
        new SharedCalls.Limits(
            settings.readsUnderWay(), settings.sharedReads(), settings.waitingReads());
  }

  /** The bytes of counters that lie on one node, each null if there is none or no good page. */
  CompletionStage<List<byte @Nullable []>> of(String node, List<Field> fields) {
    return nodes
        .computeIfAbsent(node, unseen -> new SharedCalls<>(this::call, List::size, limits, clock))
        .ask(fields);
  }

  private CompletionStage<List<List<byte @Nullable []>>> call(List<List<Field>> sharing) {
    List<AsyncCommand<byte[], byte[], byte[]>> commands = new ArrayList<>();
    sharing.forEach(fields -> fields.forEach(field -> commands.add(read(field))));
    redis.send(commands);
    return CompletableFuture.allOf(commands.toArray(CompletableFuture[]::new))
        .handle((none, anyFailure) -> shares(commands, sharing));
  }

  private static AsyncCommand<byte[], byte[], byte[]> read(Field field) {
    ByteArrayCodec codec = ByteArrayCodec.INSTANCE;
    return new AsyncCommand<>(
        new Command<>(
            CommandType.HGET,
            new ValueOutput<>(codec),
            new CommandArgs<>(codec).addKey(field.page()).addKey(field.entity())));
  }

  private static List<List<byte @Nullable []>> shares(
      List<AsyncCommand<byte[], byte[], byte[]>> commands, List<List<Field>> sharing) {
    List<List<byte @Nullable []>> shares = new ArrayList<>(sharing.size());
    int next = 0;
    for (List<Field> fields : sharing) {
      List<byte @Nullable []> share = new ArrayList<>(fields.size());
      for (int i = 0; i < fields.size(); i++) {
        share.add(bytes(commands.get(next++)));
      }
      shares.add(share);
    }
    return shares;
  }

  /** A key of another type is a malformed page; every other failure stays one. */
  private static byte @Nullable [] bytes(AsyncCommand<byte[], byte[], byte[]> command) {
    try {
      return command.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RedisCommandExecutionException refused
          && String.valueOf(refused.getMessage()).startsWith(WRONG_TYPE)) {
        return null;
      }
      throw failed;
    }
  }
}
