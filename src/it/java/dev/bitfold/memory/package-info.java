/** What Bitfold needs in Redis beside what a team would use instead. */
@NullMarked
package dev.bitfold.memory;

import org.jspecify.annotations.NullMarked;
