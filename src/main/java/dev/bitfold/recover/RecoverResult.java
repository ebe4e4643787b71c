package dev.bitfold.recover;

/** What a round found and did for one lane. */
public sealed interface RecoverResult {

  /** The lane was open already. */
  record AlreadyOpen(long offset) implements RecoverResult {}

  /**
   * The lane is open in a new epoch.
   *
   * @param offset offset its fold goes on from
   * @param reapplied toggles that came back from the log
   */
  record Reopened(long offset, long epoch, long reapplied) implements RecoverResult {}

  /** Somebody else is at it; the next round looks again. */
  record Yielded() implements RecoverResult {}

  /** Opening the lane would lose what was accepted. */
  record Blocked(String reason) implements RecoverResult {}
}
