package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.LogRecord;
import java.util.Arrays;

/**
 * Reads the log of a lane as the fold would have: accepts the contiguous events of the lane's epoch
 * beyond the state that Redis has; a marker switches the epoch and revokes what was accepted above
 * its base. Remembers a number and an offset an event, no more.
 *
 * <p>A marker also tells up to which number the lane may have folded. Whoever has lost its state
 * and reads on from it must find all of that: before the marker, or sent again after it. The walk
 * keeps that number up to date, for its end and for the next marker: what the log has in order may
 * have been folded by a life of Redis that is forgotten, although it still waits in the outbox of
 * the state.
 *
 * <p>A walk may find that the log cannot lead on from the state. A lenient walk then takes what is
 * left: it follows events whose predecessors or whose marker are gone.
 */
public final class LogWalk {

  private final long startSeq;
  private final boolean lenient;
  private long epoch;
  private long highestEpoch;
  private long folded;
  private long[] numbers = new long[1024];
  private long[] offsets = new long[1024];
  private int accepted;
  private boolean broken;
  private boolean anchored;

  /**
   * Starts at the state of a lane.
   *
   * @param folded last number that any life may have folded
   */
  public LogWalk(long epoch, long folded, long seq, boolean lenient) {
    this.startSeq = seq;
    this.folded = folded;
    this.lenient = lenient;
    this.epoch = epoch;
    this.highestEpoch = epoch;
  }

  public void take(long offset, LogRecord record) {
    highestEpoch = Math.max(highestEpoch, record.epoch());
    if (record instanceof EpochMarker marker) {
      follow(marker);
    } else if (record instanceof Event event) {
      follow(offset, event);
    }
  }

  private void follow(EpochMarker marker) {
    if (marker.epoch() > epoch) {
      broken |= marker.base() < startSeq;
      epoch = marker.epoch();
      while (accepted > 0 && numbers[accepted - 1] > marker.base()) {
        accepted--;
      }
      folded = Math.max(Math.min(folded, marker.base()), marker.folded());
      anchored = true;
    }
  }

  private void follow(long offset, Event event) {
    if (event.epoch() < epoch) {
      return;
    }
    if (event.epoch() == epoch && event.seq() == folded + 1) {
      folded++;
    }
    broken |= event.epoch() > epoch;
    boolean jumps = event.epoch() > epoch || accepted == 0 && event.seq() > startSeq;
    if (lenient && jumps) {
      epoch = event.epoch();
      accept(offset, event.seq());
    } else if (event.epoch() == epoch && event.seq() == last() + 1) {
      accept(offset, event.seq());
    }
  }

  /** The last number that state and log have between them. */
  public long last() {
    return accepted == 0 ? startSeq : numbers[accepted - 1];
  }

  private void accept(long offset, long number) {
    if (accepted == offsets.length) {
      numbers = Arrays.copyOf(numbers, 2 * accepted);
      offsets = Arrays.copyOf(offsets, 2 * accepted);
    }
    numbers[accepted] = number;
    offsets[accepted++] = offset;
  }

  /** Offsets of the events to apply again, in order. */
  public long[] accepted() {
    return Arrays.copyOf(offsets, accepted);
  }

  /** Numbers of the events to apply again, in the same order. */
  public long[] numbers() {
    return Arrays.copyOf(numbers, accepted);
  }

  /** The epoch that state and log come to in the end. */
  public long epoch() {
    return epoch;
  }

  /** The highest epoch the log knows of. */
  public long highestEpoch() {
    return highestEpoch;
  }

  /** The last number that any life may have folded. */
  public long folded() {
    return folded;
  }

  /** Whether a marker told how much there had to be. */
  public boolean anchored() {
    return anchored;
  }

  /**
   * Whether the log does not lead on from the state: it has events of an epoch whose marker is
   * gone, has revoked what the state holds, or state and log together lack what may have been
   * folded. The log alone may show that: it is read in order by every fold, but not by every one
   * from the same number on.
   */
  public boolean broken() {
    return broken || last() < folded;
  }
}
