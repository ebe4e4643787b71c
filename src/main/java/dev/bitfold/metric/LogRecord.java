package dev.bitfold.metric;

/** What the topic {@code counter-events} carries. */
public sealed interface LogRecord permits Event, EpochMarker {

  long epoch();

  Lane lane();
}
