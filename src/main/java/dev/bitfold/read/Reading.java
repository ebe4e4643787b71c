package dev.bitfold.read;

import dev.bitfold.counter.Totals;

/** A counter as read, and where it came from. */
public record Reading(Totals totals, Source source) {

  /** Where the totals came from. */
  public enum Source {
    /** The counter. */
    FRESH,
    /** There was no good counter; it was made from the facts. */
    REBUILT,
    /** There was no good counter and the lane is closed; the facts were counted. */
    DEGRADED
  }
}
