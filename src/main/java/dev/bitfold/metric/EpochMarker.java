package dev.bitfold.metric;

/**
 * Starts an epoch in the log and revokes what earlier epochs accepted above its base.
 *
 * @param base last number that counts from the epochs before
 */
public record EpochMarker(long epoch, Lane lane, long base) implements LogRecord {}
