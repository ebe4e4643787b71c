/**
 * Stage 3 of 6: folds the log into buckets, each event exactly once. In: batches of one partition.
 * Out: deltas in the bucket of each entity, and the entity marked dirty. Truth: {@code folded}, the
 * last number taken, and the stored offset.
 *
 * <h2>States of an event</h2>
 *
 * <ul>
 *   <li>of another epoch: ignored; the relay sends what still counts again in the present epoch
 *   <li>number at most folded: duplicate, dropped
 *   <li>number beyond folded + 1: gap, ignored; it comes again, in order
 *   <li>number at most the floor of its entity: counted by a rebuild already; only folded moves
 *   <li>else: added to the bucket
 * </ul>
 *
 * <h2>Crash between any two lines</h2>
 *
 * <p>Bucket, dirty mark, folded, stored offset, trimmed outbox and dropped floors are one script. A
 * crash before it: the batch is read again from the stored offset. A crash after it: the batch is
 * read again and every event is a duplicate. The outbox entry is deleted by the fold alone, so what
 * is lost between the relay and here is sent again. A poisoned record is in the dead letter topic
 * before the batch is folded; a crash in between puts it there twice.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane"})
@NullMarked
package dev.bitfold.bucket;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
