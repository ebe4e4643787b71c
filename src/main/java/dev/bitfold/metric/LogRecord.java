package dev.bitfold.metric;

/** What the topic {@code counter-events} carries. */
public sealed interface LogRecord permits Event, EpochMarker {

  /** Numbers and epochs are doubles in the scripts: above this they would lose digits. */
  long HIGHEST = 1L << 53;

  long epoch();

  Lane lane();
}
