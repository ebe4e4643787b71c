package dev.bitfold.reconcile;

import dev.bitfold.metric.Lane;
import dev.bitfold.rebuild.Cause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/**
 * Moves audit lines of a lane from Redis to PostgreSQL. It may stop anywhere, and two may do it at
 * once: a line is deleted when its row is there, and has one row however often it is moved.
 */
class AuditRound {

  private final AuditLines lines;
  private final Audits audits;
  private final ReconcileSettings settings;
  private final Map<Cause, Counter> moved = new EnumMap<>(Cause.class);

  AuditRound(AuditLines lines, Audits audits, ReconcileSettings settings, MeterRegistry meters) {
    this.lines = lines;
    this.audits = audits;
    this.settings = settings;
    for (Cause cause : Cause.values()) {
      moved.put(cause, meters.counter("bitfold.reconcile.audits", "cause", cause.word()));
    }
  }

  AuditResult run(Lane lane) {
    AuditLines.Batch batch = lines.oldest(lane, settings.auditBatch());
    long fresh = 0;
    for (AuditLine line : batch.lines()) {
      if (audits.add(lane, line)) {
        moved.get(line.cause()).increment();
        fresh++;
      }
    }
    if (!batch.entries().isEmpty()) {
      lines.delete(lane, batch.entries());
    }
    return new AuditResult(
        fresh, batch.lines().size() - fresh, batch.entries().size() - batch.lines().size());
  }
}
