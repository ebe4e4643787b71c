package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.LogRecord;
import java.util.Arrays;

/**
 * Reads the log of a lane as the fold would have: accepts the contiguous events of the lane's epoch
 * beyond the state that Redis has; a marker switches the epoch and revokes what was accepted above
 * its base. Remembers offsets only, eight bytes an event.
 */
public final class LogWalk {

  private final long startEpoch;
  private final long startSeq;
  private final boolean takeFirst;
  private long epoch;
  private long highestEpoch;
  private long first;
  private long[] offsets = new long[1024];
  private int accepted;
  private boolean diverged;

  /**
   * Starts at the state of a lane.
   *
   * @param takeFirst accept the first event whatever its number, because the log has lost those
   *     before it
   */
  public LogWalk(long epoch, long seq, boolean takeFirst) {
    this.startEpoch = epoch;
    this.startSeq = seq;
    this.takeFirst = takeFirst;
    this.epoch = epoch;
    this.highestEpoch = epoch;
    this.first = seq + 1;
  }

  public void take(long offset, LogRecord record) {
    highestEpoch = Math.max(highestEpoch, record.epoch());
    if (record instanceof EpochMarker marker) {
      if (marker.epoch() > epoch) {
        epoch = marker.epoch();
        diverged |= marker.epoch() > startEpoch && marker.base() < startSeq;
        accepted = (int) Math.max(0, Math.min(accepted, marker.base() - first + 1));
      }
    } else if (record instanceof Event event && event.epoch() == epoch) {
      if (takeFirst && accepted == 0) {
        first = event.seq();
      }
      if (event.seq() == first + accepted) {
        accept(offset);
      }
    }
  }

  private void accept(long offset) {
    if (accepted == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * accepted);
    }
    offsets[accepted++] = offset;
  }

  /** Offsets of the events to apply again, in order. */
  public long[] accepted() {
    return Arrays.copyOf(offsets, accepted);
  }

  /** The highest epoch the log knows of. */
  public long highestEpoch() {
    return highestEpoch;
  }

  /** Whether the log has revoked something that the state still holds. */
  public boolean diverged() {
    return diverged;
  }
}
