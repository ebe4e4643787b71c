package dev.bitfold.chaos;

/** Something that must never be. */
record Violation(Kind kind, String what) {

  /** Which promise was broken. */
  enum Kind {
    /** An answered operation is gone. */
    LOST,
    /** A counter is above its facts. */
    DOUBLE,
    /** A counter is below its facts, or a reading was not possible. */
    WRONG,
    /** A correction without its audit line, or a line without a reason. */
    AUDIT,
    /** An answer that no fault explains, or something that did not end. */
    OTHER
  }

  @Override
  public String toString() {
    return kind + ": " + what;
  }
}
