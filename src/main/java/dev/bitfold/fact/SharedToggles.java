package dev.bitfold.fact;

import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.SharedCalls;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Toggles of a lane that come at the same time share a script call and an outbox entry. Each lane
 * has one call under way and a queue of its own, so a lane with much to do does not hold up others.
 * A lane whose fold lags behind is answered later, the more it lags: callers who wait for their
 * answers go no faster than the pipeline, long before its outbox is full.
 */
final class SharedToggles {

  private static final int CALLS_OF_A_LANE = 1;

  private final ToggleScript script;
  private final FactSettings settings;
  private final Clock clock;
  private final Counter calls;
  private final Counter held;
  private final List<SharedCalls<List<Toggle>, Applied>> lanes;

  SharedToggles(
      ToggleScript script, Lanes lanes, FactSettings settings, Clock clock, MeterRegistry meters) {
    this.script = script;
    this.settings = settings;
    this.clock = clock;
    this.calls = meters.counter("bitfold.fact.calls");
    this.held = meters.counter("bitfold.fact.held");
    var limits =
        new SharedCalls.Limits(
            CALLS_OF_A_LANE, settings.sharedToggles(), settings.waitingToggles());
    this.lanes =
        lanes.all().stream()
            .map(
                lane ->
                    new SharedCalls<List<Toggle>, Applied>(
                        sharing -> call(lane, sharing), List::size, limits))
            .toList();
  }

  /** Applies toggles of a lane in their order, all or none; others may be applied with them. */
  CompletionStage<Applied> apply(Lane lane, List<Toggle> toggles) {
    return lanes.get(lane.number()).ask(toggles);
  }

  private CompletionStage<List<Applied>> call(Lane lane, List<List<Toggle>> sharing) {
    calls.increment();
    List<Toggle> together = sharing.stream().flatMap(List::stream).toList();
    return script
        .run(lane, together, clock.millis(), settings.outboxLimit())
        .thenCompose(this::held)
        .thenApply(applied -> shares(applied, sharing));
  }

  private CompletionStage<Applied> held(Applied applied) {
    Duration hold = settings.hold(applied.unfolded());
    if (hold.isZero()) {
      return CompletableFuture.completedStage(applied);
    }
    held.increment();
    return CompletableFuture.supplyAsync(
        () -> applied, CompletableFuture.delayedExecutor(hold.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static List<Applied> shares(Applied applied, List<List<Toggle>> sharing) {
    List<Applied> shares = new ArrayList<>(sharing.size());
    int from = 0;
    for (List<Toggle> toggles : sharing) {
      int to = from + toggles.size();
      shares.add(
          new Applied(
              applied.epoch(),
              applied.seq(),
              applied.unfolded(),
              applied.changes().subList(from, to)));
      from = to;
    }
    return shares;
  }
}
