package dev.bitfold.fact;

import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.SharedCalls;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Toggles of a lane that come at the same time share a script call and an outbox entry. Each lane
 * has one call under way and a queue of its own, so a lane with much to do does not hold up others.
 */
final class SharedToggles {

  private static final int CALLS_OF_A_LANE = 1;

  private final ToggleScript script;
  private final FactSettings settings;
  private final Clock clock;
  private final Counter calls;
  private final List<SharedCalls<List<Toggle>, Applied>> lanes;

  SharedToggles(
      ToggleScript script, Lanes lanes, FactSettings settings, Clock clock, MeterRegistry meters) {
    this.script = script;
    this.settings = settings;
    this.clock = clock;
    this.calls = meters.counter("bitfold.fact.calls");
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
        .thenApply(applied -> shares(applied, sharing));
  }

  private static List<Applied> shares(Applied applied, List<List<Toggle>> sharing) {
    List<Applied> shares = new ArrayList<>(sharing.size());
    int from = 0;
    for (List<Toggle> toggles : sharing) {
      int to = from + toggles.size();
      shares.add(new Applied(applied.epoch(), applied.seq(), applied.changes().subList(from, to)));
      from = to;
    }
    return shares;
  }
}
