/**
 * What a team would use instead, as endpoints of the same service: same HTTP stack, same clients of
 * the stores. In: HTTP. Out: answers of the same form. Truth: keys and tables of their own.
 *
 * <p>The benchmark puts the classes of this package behind those of the service on its class path;
 * nowhere else are they active, see {@link dev.bitfold.bench.opponent.Opponent}.
 */
@NullMarked
package dev.bitfold.bench.opponent;

import org.jspecify.annotations.NullMarked;
