/** The clock and scheduled work. */
@NullMarked
package dev.bitfold.platform.time;

import org.jspecify.annotations.NullMarked;
