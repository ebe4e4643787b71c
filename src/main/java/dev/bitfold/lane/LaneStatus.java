package dev.bitfold.lane;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an owned lane stands, as its owner last saw it. */
public record LaneStatus(LaneState state, Progress progress) {

  /**
   * How far the fold has come.
   *
   * @param offset next offset of the log that it will read
   * @param oldest when the oldest event not yet folded was accepted; null if there is none
   */
  public record Progress(long epoch, long seq, long folded, long offset, @Nullable Instant oldest) {

    static final Progress UNKNOWN = new Progress(0, 0, 0, 0, null);

    /** Events accepted and not yet folded. */
    public long lag() {
      return seq - folded;
    }
  }

  static LaneStatus unknown() {
    return new LaneStatus(LaneState.CLOSED, Progress.UNKNOWN);
  }

  LaneStatus in(LaneState state) {
    return new LaneStatus(state, progress);
  }

  LaneStatus at(Progress progress) {
    return new LaneStatus(state, progress);
  }
}
