/**
 * Opens lanes that are closed, and brings back from the log what their Redis has lost. In: the log
 * and the state of the lane. Out: facts applied again, an epoch marker in the log, the open mark.
 * Truth: the last epoch given, in PostgreSQL.
 *
 * <h2>Steps, each of which may be the last before a crash</h2>
 *
 * <ol>
 *   <li>an epoch is taken from PostgreSQL: a number is skipped
 *   <li>the lane is claimed with it: a later claim takes the lane over, the earlier one can do
 *       nothing more
 *   <li>what the log accepted beyond the state is applied again: it is in the state now, a later
 *       recovery walks on from there
 *   <li>the marker (epoch, base) is appended: no event of that epoch exists yet, a later marker
 *       revokes nothing more than this one
 *   <li>the open mark is written: the lane is open
 * </ol>
 *
 * <p>If the log does not lead on from the state, the lane stays closed until an operator restores a
 * better copy or accepts the loss.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "fact"})
@NullMarked
package dev.bitfold.recover;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
