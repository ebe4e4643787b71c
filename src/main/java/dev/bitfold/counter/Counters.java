package dev.bitfold.counter;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The counters in Redis, to be read; scripts write them. */
public class Counters {

  private static final String WRONG_TYPE = "WRONGTYPE";

  private final RedisNodes redis;
  private final Lanes lanes;
  private final Schema schema;
  private final CounterCodec codec;

  Counters(RedisNodes redis, Lanes lanes, Schema schema) {
    this.redis = redis;
    this.lanes = lanes;
    this.schema = schema;
    this.codec = new CounterCodec(schema);
  }

  /**
   * The counters in the order asked, in one round trip a node; nothing where there is no good one.
   */
  public List<Optional<Totals>> get(List<Entity> entities) {
    List<CompletionStage<Optional<Totals>>> calls = entities.stream().map(this::get).toList();
    return calls.stream().map(RedisReplies::await).toList();
  }

  private CompletionStage<Optional<Totals>> get(Entity entity) {
    byte[] key = LaneKeys.counter(lanes.of(entity), schema, entity);
    return redis
        .commands()
        .get(key)
        .handle(
            (bytes, failure) ->
                failure == null
                    ? CompletableFuture.completedStage(codec.decode(bytes))
                    : malformed(failure))
        .thenCompose(stage -> stage);
  }

  /** A key of another type is a malformed counter; every other failure stays one. */
  private static CompletionStage<Optional<Totals>> malformed(Throwable failure) {
    return failure instanceof RedisCommandExecutionException refused
            && String.valueOf(refused.getMessage()).startsWith(WRONG_TYPE)
        ? CompletableFuture.completedStage(Optional.empty())
        : CompletableFuture.failedStage(failure);
  }
}
