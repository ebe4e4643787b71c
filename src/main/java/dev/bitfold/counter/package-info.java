/**
 * Stage 5 of 6: the totals, fixed-width binary strings that reads serve. In: written by flush and
 * rebuild. Out: {@link dev.bitfold.counter.Totals}. Truth: none of its own; every toggle field can
 * be counted again from facts.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane"})
@NullMarked
package dev.bitfold.counter;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
