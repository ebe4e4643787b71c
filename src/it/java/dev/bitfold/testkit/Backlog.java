package dev.bitfold.testkit;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all lanes have accepted and not counted yet. */
public record Backlog(RedisNodes redis, Lanes lanes) {

  /** Events accepted and not folded. */
  public long events() {
    long folded = sum(this::folded); // first, so that no lane seems to have folded more than it has
    return sum(this::seq) - folded;
  }

  /** Whether everything accepted is in the counters. */
  public boolean settled() {
    return events() == 0 && sum(lane -> redis.commands().scard(dirty(lane))) == 0;
  }

  private CompletionStage<Long> seq(Lane lane) {
    return redis
        .commands()
        .hget(LaneKeys.lane(lane), LaneKeys.bytes("seq"))
        .thenApply(Backlog::number);
  }

  private CompletionStage<Long> folded(Lane lane) {
    return redis
        .commands()
        .hget(LaneKeys.folded(lane), LaneKeys.bytes(lane.toString()))
        .thenApply(Backlog::number);
  }

  /** Asks about all lanes at once. */
  private long sum(Function<Lane, CompletionStage<Long>> question) {
    List<CompletionStage<Long>> answers = lanes.all().stream().map(question).toList();
    return answers.stream().mapToLong(RedisReplies::await).sum();
  }

  private static byte[] dirty(Lane lane) {
    return LaneKeys.bytes("dirty:" + lane.tag());
  }

  private static long number(byte @Nullable [] digits) {
    return digits == null ? 0 : Long.parseLong(LaneKeys.text(digits));
  }
}
