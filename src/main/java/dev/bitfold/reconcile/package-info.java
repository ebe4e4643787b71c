/**
 * Care: looks for counters that are wrong and corrects them, and keeps the audit of all
 * corrections. In: counters, entity after entity, at a bounded rate; lines of the audit in Redis.
 * Out: corrected counters, rows of the table {@code audit}. Truth: that table.
 *
 * <p>In a healthy system it finds nothing, ever. There is no tolerance: a counter that is off by
 * one is a bug, or somebody wrote to Redis.
 *
 * <h2>How it compares</h2>
 *
 * <p>A comparison is a rebuild that looks before it writes. The last step has the facts counted,
 * and adds up counter, bucket and events on their way in the same script. If that is right, nothing
 * is written; if not, the counter becomes what the facts say. It walks the counters with a cursor
 * in the background, takes those whose lane is owned here and open, and waits for nobody: what is
 * being rebuilt or too far behind is looked at in the next pass.
 *
 * <h2>Crash between a correction and its row</h2>
 *
 * <p>The script that corrects writes a line to the lane's audit stream in the same step, whoever
 * called it: reconcile, the flush, a read, an operator. {@link dev.bitfold.reconcile.AuditRound}
 * moves lines to the table: reads them, inserts each unless it is there, then deletes exactly these
 * from the stream. A crash before the insert leaves the line in the stream; after it, the line is
 * moved again and found in the table. The id of a line starts with the epoch, so no line of another
 * life of Redis is ever taken for it. Without PostgreSQL lines wait; when too many do, nothing is
 * reconciled until they have gone.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "counter", "rebuild"})
@NullMarked
package dev.bitfold.reconcile;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
