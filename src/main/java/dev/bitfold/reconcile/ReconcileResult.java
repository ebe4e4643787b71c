package dev.bitfold.reconcile;

import dev.bitfold.rebuild.Comparison;
import java.util.Collection;

/**
 * What a round came to.
 *
 * @param agrees counters that are what they should be
 * @param corrected counters that were wrong: each is a found bug
 * @param skipped counters that could not be compared now
 * @param passes 1 if this round came to the end of all counters
 */
record ReconcileResult(long agrees, long corrected, long skipped, long passes) {

  static final ReconcileResult NOTHING = new ReconcileResult(0, 0, 0, 0);

  /** Entities the round has looked at. */
  long looked() {
    return agrees + corrected + skipped;
  }

  ReconcileResult plus(Collection<Comparison> comparisons) {
    long agree = comparisons.stream().filter(Comparison.AGREES::equals).count();
    long wrong = comparisons.stream().filter(Comparison.CORRECTED::equals).count();
    return new ReconcileResult(
        agrees + agree, corrected + wrong, skipped + comparisons.size() - agree - wrong, passes);
  }

  ReconcileResult ended() {
    return new ReconcileResult(agrees, corrected, skipped, passes + 1);
  }
}
