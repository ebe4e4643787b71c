package dev.bitfold.chaos;

/**
 * What a caller wanted and was told. Times are microseconds since 1970.
 *
 * @param wanted whether the fact was to hold
 * @param sent before the request left
 * @param ended when the answer had come, or none was waited for any longer
 * @param code what the answer was, in a word
 */
record Operation(Fact fact, boolean wanted, long sent, long ended, Outcome outcome, String code) {

  /** What the caller knows. */
  enum Outcome {
    /** Done; the fact was the other way before. */
    CHANGED,
    /** Done; the fact was so already. */
    UNCHANGED,
    /** Perhaps done, at any time after it was sent; perhaps never. */
    UNKNOWN,
    /** Certainly not done. */
    REFUSED
  }

  boolean answered() {
    return outcome == Outcome.CHANGED || outcome == Outcome.UNCHANGED;
  }

  /** How the fact was before, if the answer tells. */
  boolean before() {
    return (outcome == Outcome.CHANGED) != wanted;
  }

  /** As a line of a table: sent, ended, user, metric, entity, wanted, outcome, code. */
  String line() {
    return String.join(
        ",",
        Long.toString(sent),
        Long.toString(ended),
        Long.toString(fact.userId()),
        fact.metric(),
        fact.entity().toString(),
        Boolean.toString(wanted),
        outcome.toString(),
        code.replace(',', ';'));
  }

  @Override
  public String toString() {
    return "%s to %b, %d-%d: %s".formatted(outcome, wanted, sent, ended, code);
  }
}
