/**
 * The chaos run: the packaged service as two processes, with stores of their own, is driven over
 * HTTP while a nemesis breaks things. In: a seed. Out: a verdict and a report. Truth: the history
 * of what the callers were answered.
 *
 * <p>A run is made of rounds. In a round callers act and faults happen; then both end, the pipeline
 * gets quiet, and everything is compared: each status with the history, each counter with the
 * statuses, each reading with what was possible when it was taken, each correction with the damage
 * that was done. The next round starts from what was found exact.
 */
@NullMarked
package dev.bitfold.chaos;

import org.jspecify.annotations.NullMarked;
