package dev.bitfold.rebuild;

import dev.bitfold.counter.Counters;
import dev.bitfold.counter.Totals;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Limits;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recomputes counters from facts, exactly, under full traffic. */
public class Rebuilds {

  private static final Logger log = LoggerFactory.getLogger(Rebuilds.class);

  /** Walks of a comparison that may be taken away before it is given up. */
  private static final int COMPARISON_STARTS = 2;

  private final RebuildScript script;
  private final Lanes lanes;
  private final Counters counters;
  private final RebuildSettings settings;
  private final Limits limits;
  private final Clock clock;
  private final Counter rebuilt;
  private final Counter fenced;

  Rebuilds(
      RebuildScript script,
      Lanes lanes,
      Counters counters,
      RebuildSettings settings,
      Clock clock,
      MeterRegistry meters) {
    this.script = script;
    this.lanes = lanes;
    this.counters = counters;
    this.settings = settings;
    this.limits =
        new Limits(settings.stepShards(), settings.abandonedAfter(), settings.compareEvents());
    this.clock = clock;
    this.rebuilt = meters.counter("bitfold.rebuild.counters", "outcome", "rebuilt");
    this.fenced = meters.counter("bitfold.rebuild.counters", "outcome", "fenced");
  }

  /** Rebuilds a counter whatever it says now. */
  public Totals force(Entity entity) {
    String token = UUID.randomUUID().toString();
    return finish(entity, token, Mode.FORCE, RedisReplies.await(first(entity, token, Mode.FORCE)))
        .totals();
  }

  /**
   * The counters of entities that seem to have none. One caller rebuilds each; the others get what
   * it found.
   */
  public List<Repair> missing(List<Entity> entities) {
    String token = UUID.randomUUID().toString();
    List<CompletionStage<Step>> steps =
        entities.stream().map(entity -> first(entity, token, Mode.MISSING)).toList();
    return IntStream.range(0, entities.size())
        .mapToObj(
            i -> finish(entities.get(i), token, Mode.MISSING, RedisReplies.await(steps.get(i))))
        .toList();
  }

  /**
   * Compares counters with their facts and corrects those that are wrong. It waits for nobody: what
   * somebody else is at is skipped.
   */
  public List<Comparison> compare(List<Entity> entities) {
    String token = UUID.randomUUID().toString();
    List<CompletionStage<Step>> steps =
        entities.stream().map(entity -> first(entity, token, Mode.WRONG)).toList();
    return IntStream.range(0, entities.size())
        .mapToObj(i -> compared(entities.get(i), token, steps.get(i)))
        .toList();
  }

  private Comparison compared(Entity entity, String token, CompletionStage<Step> first) {
    try {
      Step step = walk(entity, token, RedisReplies.await(first));
      for (int i = 1; i < COMPARISON_STARTS && step instanceof Step.Fenced; i++) {
        fenced.increment();
        step = walk(entity, token, RedisReplies.await(first(entity, token, Mode.WRONG)));
      }
      if (step instanceof Step.Corrected corrected) {
        report(entity, corrected);
        return Comparison.CORRECTED;
      } else if (step instanceof Step.Overflow) {
        log.error("counter of {} is wrong and cannot be corrected: it would not fit", entity);
      }
      return step instanceof Step.Agrees ? Comparison.AGREES : Comparison.SKIPPED;
    } catch (LaneClosedException closed) {
      return Comparison.CLOSED;
    }
  }

  private Step walk(Entity entity, String token, Step first) {
    Step step = first;
    while (step instanceof Step.More) {
      step = RedisReplies.await(next(entity, token, Mode.WRONG));
    }
    return step;
  }

  private static void report(Entity entity, Step.Corrected corrected) {
    log.error(
        "counter of {} was wrong ({}): it said {}, now it says {}; this is a bug, or somebody wrote"
            + " to Redis",
        entity,
        corrected.cause().word(),
        corrected.before().map(before -> before.fields().toString()).orElse("nothing readable"),
        corrected.totals().fields());
  }

  private CompletionStage<Step> first(Entity entity, String token, Mode mode) {
    return script.first(lanes.of(entity), entity, token, mode, limits);
  }

  private CompletionStage<Step> next(Entity entity, String token, Mode mode) {
    return script.next(lanes.of(entity), entity, token, mode, limits);
  }

  private Repair finish(Entity entity, String token, Mode mode, Step first) {
    Instant deadline = clock.instant().plus(settings.patience());
    Step step = first;
    while (true) {
      if (step instanceof Step.Present present) {
        counters.lookAgain(entity);
        return new Repair(present.totals(), Repair.Outcome.PRESENT);
      } else if (step instanceof Step.Done done) {
        return rebuilt(done.totals());
      } else if (step instanceof Step.Corrected corrected) {
        report(entity, corrected);
        return rebuilt(corrected.totals());
      } else if (step instanceof Step.More) {
        step = RedisReplies.await(next(entity, token, mode));
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

  private Repair rebuilt(Totals totals) {
    if (totals.zero()) {
      return new Repair(totals, Repair.Outcome.NOTHING);
    }
    rebuilt.increment();
    return new Repair(totals, Repair.Outcome.REBUILT);
  }
}
