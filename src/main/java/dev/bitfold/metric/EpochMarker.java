package dev.bitfold.metric;

/**
 * Starts an epoch in the log and revokes what earlier epochs accepted above its base.
 *
 * @param base last number that counts from the epochs before; 0 if a loss was accepted
 * @param folded last number that any life of Redis may have folded in the epochs before; whoever
 *     reads the log to its end and lacks any up to it has lost something
 */
public record EpochMarker(long epoch, Lane lane, long base, long folded) implements LogRecord {}
