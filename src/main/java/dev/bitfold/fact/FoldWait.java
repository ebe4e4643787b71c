package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a number of a lane is folded: then Kafka has its event and all before it. Folded is
 * read before the epoch, so an unchanged epoch says that the number was of that epoch.
 */
final class FoldWait {

  private final RedisNodes redis;
  private final FactSettings settings;
  private final Clock clock;

  FoldWait(RedisNodes redis, FactSettings settings, Clock clock) {
    this.redis = redis;
    this.settings = settings;
    this.clock = clock;
  }

  void until(Lane lane, long epoch, long seq) {
    Instant deadline = clock.instant().plus(settings.durableWait());
    while (true) {
      byte[] channel = LaneKeys.bytes(lane.toString());
      var folded = redis.commands().hget(LaneKeys.folded(lane), channel);
      var epochNow = redis.commands().hget(LaneKeys.lane(lane), LaneKeys.bytes("epoch"));
      boolean reached = number(RedisReplies.await(folded)) >= seq;
      if (number(RedisReplies.await(epochNow)) != epoch) {
        throw new LaneClosedException(lane);
      }
      if (reached) {
        return;
      }
      if (clock.instant().isAfter(deadline)) {
        throw new NotDurableException(lane);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(settings.durablePoll().toMillis()));
    }
  }

  private static long number(byte @Nullable [] digits) {
    return digits == null ? 0 : Long.parseLong(LaneKeys.text(digits));
  }
}
