package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.chaos.Faults.Span;

/**
 * How old the count may be that a reading shows: as old as is {@link #STATED}, or, while a fault
 * lasts and for some time after, as old as the fault and that. Microseconds.
 */
final class Lag {

  /** How far a counter may lag behind the facts when nothing is broken. */
  static final long STATED = 5_000_000;

  /** How long after a fault counters may still lag because of it. */
  private static final long SETTLING = 10_000_000;

  private final Injuries injuries;

  Lag(Injuries injuries) {
    this.injuries = injuries;
  }

  /** The oldest that the count of a reading may be at its request. */
  long allowed(Reading reading) {
    if (reading.exact()) {
      boolean older = injuries.losses().stream().anyMatch(loss -> loss.begin() <= reading.ended());
      return older ? Long.MAX_VALUE : 0;
    }
    long since = reading.sent() - STATED;
    for (long before = Long.MAX_VALUE; since < before; ) {
      before = since;
      for (Span fault : injuries.spans()) {
        if (fault.begin() <= reading.ended() && fault.end() + SETTLING >= since) {
          since = Math.min(since, fault.begin() - STATED);
        }
      }
    }
    return reading.sent() - since;
  }
}
