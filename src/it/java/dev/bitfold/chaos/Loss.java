package dev.bitfold.chaos;

/**
 * Redis came back without its last moments. What was accepted before {@code from} had reached
 * Kafka, so it must be there again; what was accepted later may be gone. Times are microseconds
 * since 1970.
 *
 * @param from nothing answered before is lost
 * @param begin the fault began
 * @param end Redis was back
 * @param copied with a copy, perhaps of an earlier round: until its lanes are open, reads show that
 */
record Loss(long from, long begin, long end, boolean copied) {

  /** Whether the operation may have been done in the moments that were lost. */
  boolean touches(Operation operation) {
    return operation.sent() <= end
        && operation.outcome() != Operation.Outcome.REFUSED
        && (operation.ended() >= from || !operation.answered());
  }
}
