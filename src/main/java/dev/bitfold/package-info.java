/** Exact counters: bitmaps are the facts, events carry the changes, counters are what is read. */
@NullMarked
package dev.bitfold;

import org.jspecify.annotations.NullMarked;
