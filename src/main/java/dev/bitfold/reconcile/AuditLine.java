package dev.bitfold.reconcile;

import dev.bitfold.metric.Entity;
import dev.bitfold.rebuild.Cause;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One correction of a counter.
 *
 * @param entry id of the line in the stream of its lane; no two lines of a lane have the same
 * @param before what the toggle metrics said, by name; null if there was no good counter
 * @param after what they say since
 * @param epoch epoch of the lane at that moment
 * @param seq last event number issued in the lane at that moment
 * @param at when, by the clock of Redis
 */
record AuditLine(
    String entry,
    Entity entity,
    Cause cause,
    @Nullable Map<String, Long> before,
    Map<String, Long> after,
    long epoch,
    long seq,
    Instant at) {}
