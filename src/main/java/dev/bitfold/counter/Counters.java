package dev.bitfold.counter;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The counters in Redis, to be read; scripts write them. */
public class Counters {

  private static final String WRONG_TYPE = "WRONGTYPE";

  private final RedisNodes redis;
  private final Lanes lanes;
  private final CounterPages pages;
  private final PageScript page;
  private final Schema schema;
  private final CounterCodec codec;

  Counters(RedisNodes redis, Lanes lanes, CounterPages pages, PageScript page, Schema schema) {
    this.redis = redis;
    this.lanes = lanes;
    this.pages = pages;
    this.page = page;
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

  /** Somebody has found a counter that seemed to be missing: its lane has other pages by now. */
  public void found(Entity entity) {
    pages.forget(lanes.of(entity));
  }

  /** A walk over all counters of the lanes. */
  public CounterWalk walk(Collection<Lane> lanes) {
    return new CounterWalk(page, lanes);
  }

  private CompletionStage<Optional<Totals>> get(Entity entity) {
    Lane lane = lanes.of(entity);
    return pages.of(lane).thenCompose(count -> get(lane, entity, count));
  }

  private CompletionStage<Optional<Totals>> get(Lane lane, Entity entity, int count) {
    byte[] page = LaneKeys.counters(lane, schema, CounterPages.pageOf(entity, count));
    return unlessMalformed(
        redis.commands().hget(page, LaneKeys.bytes(entity.toString())).thenApply(codec::decode),
        Optional.empty());
  }

  /** A key of another type is a malformed page; every other failure stays one. */
  private static <T> CompletionStage<T> unlessMalformed(CompletionStage<T> reply, T otherwise) {
    return reply
        .handle(
            (value, failure) ->
                failure == null
                    ? CompletableFuture.completedStage(value)
                    : wrongType(failure)
                        ? CompletableFuture.completedStage(otherwise)
                        : CompletableFuture.<T>failedStage(failure))
        .thenCompose(stage -> stage);
  }

  private static boolean wrongType(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RedisCommandExecutionException refused
        && String.valueOf(refused.getMessage()).startsWith(WRONG_TYPE);
  }
}
