/**
 * Stage 1 of 6: toggles facts and tells them. In: actions over HTTP. Out: events in the outbox of
 * the lane, written in the same step as the fact. Truth: the facts, which all counters are held
 * against.
 *
 * <p>Crash between the fact and its event: there is no between, both are one script. Crash after
 * the script and before the answer: the caller does not know; sending again changes nothing twice.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "security"})
@NullMarked
package dev.bitfold.fact;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
