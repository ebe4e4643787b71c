package dev.bitfold.rebuild;

import dev.bitfold.counter.Totals;

/** What became of a counter that seemed to be missing. */
public record Repair(Totals totals, Outcome outcome) {

  /** Whether it was. */
  public enum Outcome {
    /** It was there all the time, in another page, or somebody else has just made it. */
    PRESENT,
    /** It was made from the facts. */
    REBUILT,
    /** There are no facts, so there is no counter. */
    NOTHING
  }
}
