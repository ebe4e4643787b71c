/**
 * Stage 6 of 6: the front door of all reads. In: counters, facts. Out: HTTP. Truth: none of its
 * own.
 *
 * <p>A counter that is not there is rebuilt, or counted from facts while its lane is closed; zero
 * is only answered for an entity that has no facts.
 */
@ApplicationModule(
    allowedDependencies = {"metric", "platform", "lane", "fact", "counter", "rebuild"})
@NullMarked
package dev.bitfold.read;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
