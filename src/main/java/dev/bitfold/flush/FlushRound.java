package dev.bitfold.flush;

import dev.bitfold.flush.FlushScript.Flushed;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.rebuild.RebuildBusyException;
import dev.bitfold.rebuild.Rebuilds;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over the dirty entities of a lane. */
class FlushRound {

  private static final Logger log = LoggerFactory.getLogger(FlushRound.class);

  private final FlushScript script;
  private final Rebuilds rebuilds;
  private final FlushSettings settings;
  private final Counter flushed;
  private final Counter rebuilt;
  private final Counter astray;

  FlushRound(FlushScript script, Rebuilds rebuilds, FlushSettings settings, MeterRegistry meters) {
    this.script = script;
    this.rebuilds = rebuilds;
    this.settings = settings;
    this.flushed = meters.counter("bitfold.flush.counters", "outcome", "flushed");
    this.rebuilt = meters.counter("bitfold.flush.counters", "outcome", "rebuilt");
    this.astray = meters.counter("bitfold.flush.counters", "outcome", "astray");
  }

  FlushResult run(Lane lane) {
    FlushResult result = FlushResult.NOTHING;
    for (int call = 0; call < settings.calls(); call++) {
      Flushed done = script.run(lane, settings.entities(), settings.shards());
      result = result.plus(done);
      done.astray().forEach(this::report);
      boolean rebuilt = done.large().stream().allMatch(this::rebuild);
      if (done.left() == 0 || !rebuilt) {
        break;
      }
    }
    flushed.increment(result.flushed());
    rebuilt.increment(result.rebuilt());
    astray.increment(result.astray());
    return result;
  }

  private void report(Entity entity) {
    log.error("counter of {} left its range and was rebuilt from its facts: this is a bug", entity);
  }

  /** Answers whether it is done; if somebody else is at it, it stays dirty for the next round. */
  private boolean rebuild(Entity entity) {
    try {
      rebuilds.force(entity);
      return true;
    } catch (RebuildBusyException somebodyElse) {
      log.debug("{}: left dirty for the next round", somebodyElse.getMessage());
      return false;
    }
  }
}
