package dev.bitfold.recover;

import dev.bitfold.metric.Lane;

/** The source of epochs, and what it remembers of openings; it outlives Redis and the log. */
public interface LaneEpochs {

  /**
   * How a lane was opened before.
   *
   * @param epoch highest epoch that was opened or about to be, its marker in the log; 0 if none
   * @param since epoch that was last opened with a loss, 0 if none; numbers of earlier ones name
   *     other events
   */
  record Opened(long epoch, long since) {}

  /** Whether an opening leaves out what was accepted before. */
  enum Loss {
    NONE,
    ACCEPTED
  }

  /** A new epoch of the lane, higher than all before and than the given one. */
  long next(Lane lane, long above);

  /** What is known of the openings of a lane that has been given an epoch. */
  Opened opened(Lane lane);

  /** Remembers an opening: its marker is in the log, its open mark will be written next. */
  void opening(Lane lane, long epoch, Loss loss);
}
