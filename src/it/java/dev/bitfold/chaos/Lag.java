package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.chaos.Faults.Span;

/**
 * How old the count may be that a reading shows: as old as is {@link #STATED}, or, while a fault
 * lasts that stops the way to the counters, and for some time after, as old as the fault and that.
 * Microseconds.
 */
final class Lag {

  /** How far a counter may lag behind the facts when nothing is broken. */
  static final long STATED = 5_000_000;

  /** How long after a fault counters may still lag because of it. */
  static final long SETTLING = 8_000_000;

  private final Injuries injuries;

  Lag(Injuries injuries) {
    this.injuries = injuries;
  }

  /** Whether a copy of Redis may be what the reading shows. */
  boolean ofACopy(Reading reading) {
    return injuries.losses().stream().anyMatch(loss -> loss.copied() && unsettled(loss, reading));
  }

  /** Whether lanes may not have been open yet, after a loss, when the reading was taken. */
  private boolean unsettled(Loss loss, Reading reading) {
    long settled = loss.end() + SETTLING;
    for (long before = 0; before < settled; ) {
      before = settled;
      for (Span fault : injuries.spans()) {
        if (fault.kind().stallsCounters() && fault.begin() <= settled) {
          settled = Math.max(settled, fault.end() + SETTLING);
        }
      }
    }
    return loss.begin() <= reading.ended() && reading.sent() <= settled;
  }

  /** The oldest that the count of a reading may be at its request. */
  long allowed(Reading reading) {
    if (reading.exact()) {
      return injuries.losses().stream().anyMatch(loss -> unsettled(loss, reading))
          ? Long.MAX_VALUE
          : 0;
    }
    long since = reading.sent() - STATED;
    for (long before = Long.MAX_VALUE; since < before; ) {
      before = since;
      for (Span fault : injuries.spans()) {
        if (fault.kind().stallsCounters()
            && fault.begin() <= reading.ended()
            && fault.end() + SETTLING >= since) {
          since = Math.min(since, fault.begin() - STATED);
        }
      }
    }
    return reading.sent() - since;
  }
}
