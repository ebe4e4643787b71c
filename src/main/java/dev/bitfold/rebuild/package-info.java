/**
 * Recomputes counters from facts, exactly, under full traffic. In: facts. Out: counters and floors.
 * Truth: none of its own.
 *
 * <h2>How it is exact</h2>
 *
 * <p>Few shards: one script counts the facts, writes the counter, deletes the bucket and, if events
 * are still on their way, leaves a floor: up to this number they are in the count. Many shards: the
 * script walks them in bounded steps and keeps its cursor and counts in a hash. A toggle ahead of
 * the cursor will be counted; a toggle behind it corrects the count in its own script. The last
 * step is the same as the single one.
 *
 * <h2>What was wrong before</h2>
 *
 * <p>The last step also knows what the counter should have been: counter, bucket and events on
 * their way must add up to the facts. If they do not, a line of the audit says so, written in the
 * same step. A comparison stops there if they do, and then nothing is written at all; it gives way
 * to every other rebuild.
 *
 * <h2>Crash between any two steps</h2>
 *
 * <p>The hash expires and the walk is forgotten; counter, bucket and floor are untouched until the
 * last step. A walker that slept through that finds its token gone, is fenced off and starts again.
 * Two rebuilds of one entity cost work, never a count: the second finds the walk busy and waits.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "counter"})
@NullMarked
package dev.bitfold.rebuild;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
