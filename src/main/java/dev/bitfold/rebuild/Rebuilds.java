package dev.bitfold.rebuild;

import dev.bitfold.counter.Totals;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Recomputes counters from facts, exactly, under full traffic. */
public class Rebuilds {

  private final RebuildScript script;
  private final Lanes lanes;
  private final RebuildSettings settings;
  private final Clock clock;
  private final Counter rebuilt;
  private final Counter fenced;

  Rebuilds(
      RebuildScript script,
      Lanes lanes,
      RebuildSettings settings,
      Clock clock,
      MeterRegistry meters) {
    this.script = script;
    this.lanes = lanes;
    this.settings = settings;
    this.clock = clock;
    this.rebuilt = meters.counter("bitfold.rebuild.counters", "outcome", "rebuilt");
    this.fenced = meters.counter("bitfold.rebuild.counters", "outcome", "fenced");
  }

  /** Rebuilds a counter whatever it says now. */
  public Totals force(Entity entity) {
    String token = UUID.randomUUID().toString();
    return finish(entity, token, Mode.FORCE, RedisReplies.await(first(entity, token, Mode.FORCE)));
  }

  /**
   * The counters of entities that seem to have none. One caller rebuilds each; the others get what
   * it found.
   */
  public List<Totals> missing(List<Entity> entities) {
    String token = UUID.randomUUID().toString();
    List<CompletionStage<Step>> steps =
        entities.stream().map(entity -> first(entity, token, Mode.MISSING)).toList();
    return IntStream.range(0, entities.size())
        .mapToObj(
            i -> finish(entities.get(i), token, Mode.MISSING, RedisReplies.await(steps.get(i))))
        .toList();
  }

  private CompletionStage<Step> first(Entity entity, String token, Mode mode) {
    return script.first(
        lanes.of(entity), entity, token, mode, settings.stepShards(), settings.abandonedAfter());
  }

  private Totals finish(Entity entity, String token, Mode mode, Step first) {
    Lane lane = lanes.of(entity);
    Instant deadline = clock.instant().plus(settings.patience());
    Step step = first;
    while (true) {
      if (step instanceof Step.Present present) {
        return present.totals();
      } else if (step instanceof Step.Done done) {
        if (!done.totals().zero()) {
          rebuilt.increment();
        }
        return done.totals();
      } else if (step instanceof Step.More) {
        step =
            RedisReplies.await(
                script.next(lane, entity, token, settings.stepShards(), settings.abandonedAfter()));
      } else if (step instanceof Step.Overflow) {
        throw new IllegalStateException(entity + " has more facts than a counter can hold");
      } else {
        if (step instanceof Step.Fenced) {
          fenced.increment();
        }
        if (clock.instant().isAfter(deadline)) {
          throw new RebuildBusyException(entity);
        }
        LockSupport.parkNanos(settings.poll().toNanos());
        step = RedisReplies.await(first(entity, token, mode));
      }
    }
  }
}
