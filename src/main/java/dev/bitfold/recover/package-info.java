/**
 * Opens lanes that are closed or open on a topic that is gone, and brings back from the log what
 * their Redis has lost. In: the log and the state of the lane. Out: facts applied again, an epoch
 * marker in the log, the open mark. Truth: the last epochs given and opened, in PostgreSQL.
 *
 * <h2>Steps, each of which may be the last before a crash</h2>
 *
 * <ol>
 *   <li>an epoch is taken from PostgreSQL: a number is skipped
 *   <li>the lane is claimed with it: a later claim takes the lane over, the earlier one can do
 *       nothing more; a lane that was open is closed, and it is kept in mind that it was
 *   <li>what the log accepted beyond the state is applied again: it is in the state now, and where
 *       the lane stood before too; a later recovery walks from there and goes on behind it
 *   <li>the marker (epoch, base, folded) is appended: no event of that epoch exists yet, a later
 *       marker revokes nothing more than this one
 *   <li>PostgreSQL is told that the epoch is opened: its marker is there to be found
 *   <li>the open mark is written: the lane is open
 * </ol>
 *
 * <p>If nothing shows that all that was folded is there ({@code Evidence}), the lane stays closed
 * until an operator restores a better copy or accepts the loss.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "fact"})
@NullMarked
package dev.bitfold.recover;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
