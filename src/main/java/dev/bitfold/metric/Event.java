package dev.bitfold.metric;

/**
 * One signed change, numbered in its lane.
 *
 * @param seq number in the lane, contiguous from 1
 * @param delta +1 or -1
 * @param ts when the toggle was accepted, in milliseconds since 1970
 */
public record Event(
    long epoch, Lane lane, long seq, Entity entity, Metric metric, long userId, int delta, long ts)
    implements LogRecord {}
