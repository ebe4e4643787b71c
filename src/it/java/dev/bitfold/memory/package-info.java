/**
 * What Bitfold needs in Redis beside what a team would use instead. In: likes and counters of
 * random users and entities. Out: tables. Truth: what Redis says of its memory.
 */
@NullMarked
package dev.bitfold.memory;

import org.jspecify.annotations.NullMarked;
