/**
 * Stage 2 of 6: relays the outbox to Kafka. In: entries of the lane's outbox. Out: records of
 * {@code counter-events}, in order, at least once. Truth: none of its own; it deletes nothing.
 *
 * <p>Crash after sending and before noting it: the events are sent again and dropped by the fold as
 * duplicates. A send that fails in the middle leaves a gap in the log; the fold ignores what is
 * behind it, and the relay goes back to the first event that was not acknowledged. If the fold
 * reads past what was sent and does not take it, or stands still, everything unfolded is sent
 * again.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane"})
@NullMarked
package dev.bitfold.outbox;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
