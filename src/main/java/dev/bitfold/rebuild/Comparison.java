package dev.bitfold.rebuild;

/** What comparing a counter with its facts came to. */
public enum Comparison {
  /** It is what it should be, or there is none. */
  AGREES,
  /** It was wrong and is right now; the audit has a line about it. */
  CORRECTED,
  /** Not compared: somebody else is at it, or too much is on its way. */
  SKIPPED,
  /** Not compared: its lane is closed. */
  CLOSED
}
