package dev.bitfold.metric;

/** How a metric counts. */
public enum Kind {
  /** Has a fact per user; its counter can be recomputed from them. */
  TOGGLE,
  /** Counts occurrences; there is no fact behind it. */
  TALLY
}
