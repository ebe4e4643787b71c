/**
 * The benchmark: one instance of the packaged service with stores of its own is measured beside
 * what a team would use instead. In: how long and which rows. Out: a report with tables, plots and
 * targets. Truth: ratios of what was measured in one run; the figures themselves belong to the
 * machine.
 */
@NullMarked
package dev.bitfold.bench;

import org.jspecify.annotations.NullMarked;
