/**
 * A load generator that costs little, because it shares the machine with what it measures. In:
 * requests. Out: rates and latencies.
 */
@NullMarked
package dev.bitfold.bench.load;

import org.jspecify.annotations.NullMarked;
