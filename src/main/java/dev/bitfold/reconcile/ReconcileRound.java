package dev.bitfold.reconcile;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.rebuild.Comparison;
import dev.bitfold.rebuild.EntityScan;
import dev.bitfold.rebuild.Rebuilds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Compares a bounded number of counters with their facts and goes on there the next time. A pass
 * over all counters takes as many rounds as it needs. One thread at a time.
 */
class ReconcileRound {

  private final EntityScan scan;
  private final Rebuilds rebuilds;
  private final Lanes lanes;
  private final OwnedLanes owned;
  private final ReconcileSettings settings;
  private final Counter agrees;
  private final Counter corrected;
  private final Counter skipped;
  private final Counter passes;
  private final Deque<Entity> found = new ArrayDeque<>();
  private EntityScan.Walk walk;

  ReconcileRound(
      EntityScan scan,
      Rebuilds rebuilds,
      Lanes lanes,
      OwnedLanes owned,
      ReconcileSettings settings,
      MeterRegistry meters) {
    this.scan = scan;
    this.rebuilds = rebuilds;
    this.lanes = lanes;
    this.owned = owned;
    this.settings = settings;
    this.agrees = meters.counter("bitfold.reconcile.entities", "outcome", "agrees");
    this.corrected = meters.counter("bitfold.reconcile.entities", "outcome", "corrected");
    this.skipped = meters.counter("bitfold.reconcile.entities", "outcome", "skipped");
    this.passes = meters.counter("bitfold.reconcile.passes");
    this.walk = scan.counters(List.of());
  }

  /**
   * Ends early where a pass ends, so that few counters are not compared again and again. A pass of
   * which only lanes are left that cannot be read is given up: the others are not to wait for them.
   */
  synchronized ReconcileResult run() {
    ReconcileResult result = ReconcileResult.NOTHING;
    if ((walk.ended() || walk.stuck()) && found.isEmpty()) {
      List<Lane> open = owned.in(LaneState.OPEN);
      if (open.isEmpty()) {
        return result;
      }
      walk = scan.counters(open);
    }
    for (int page = 0; page <= settings.pages() && result.passes() == 0; page++) {
      for (List<Entity> batch = take(result); !batch.isEmpty(); batch = take(result)) {
        result = result.plus(compare(batch));
      }
      if (walk.ended() && found.isEmpty()) {
        result = result.ended();
      } else if (result.looked() >= settings.entities()) {
        break;
      } else if (page < settings.pages()) {
        found.addAll(walk.next());
      }
    }
    agrees.increment(result.agrees());
    corrected.increment(result.corrected());
    skipped.increment(result.skipped());
    passes.increment(result.passes());
    return result;
  }

  /** The next entities to compare, among those found: their lanes are owned here and open. */
  private List<Entity> take(ReconcileResult result) {
    long room = Math.min(settings.batch(), settings.entities() - result.looked());
    List<Entity> batch = new ArrayList<>();
    while (batch.size() < room && !found.isEmpty()) {
      Entity entity = found.remove();
      if (owned
          .status(lanes.of(entity))
          .filter(status -> status.state() == LaneState.OPEN)
          .isPresent()) {
        batch.add(entity);
      }
    }
    return batch;
  }

  private List<Comparison> compare(List<Entity> batch) {
    List<Comparison> comparisons = rebuilds.compare(batch);
    for (int i = 0; i < batch.size(); i++) {
      if (comparisons.get(i) == Comparison.CLOSED) {
        owned.closed(lanes.of(batch.get(i)));
      }
    }
    return comparisons;
  }
}
