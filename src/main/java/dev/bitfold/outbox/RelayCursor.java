package dev.bitfold.outbox;

import dev.bitfold.lane.LaneStatus.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far the outbox of a lane was sent, and where in the log that is. Tells when to send
 * everything unfolded again: when the fold has taken nothing for some time and has read past what
 * was sent, or reads nothing at all; in that case less and less often. A fold that is busy with
 * older records is waited for: sending again would only give it more to read. One thread.
 */
final class RelayCursor {

  /** Beyond so many runs the last one grows: then a loss in it is noticed a little later. */
  private static final int MOST_RUNS = 1000;

  private static final int MOST_DOUBLINGS = 5;
  private static final Duration REST = Duration.ofMillis(500);

  private final Duration goBack;
  private final Deque<Run> runs = new ArrayDeque<>();
  private long epoch;
  private long sent;
  private long folded;
  private long offset;
  private Instant foldedSince;
  private Instant readSince;
  private Instant restsUntil = Instant.MIN;
  private int wentBack;

  /** Events up to a number that Kafka has, the last of them at an offset of the log. */
  private record Run(long last, long offset) {}

  RelayCursor(Duration goBack, Instant now) {
    this.goBack = goBack;
    this.foldedSince = now;
    this.readSince = now;
  }

  /** The last number sent. */
  long sent() {
    return sent;
  }

  /** Kafka has everything up to a number, the last event at an offset. */
  void acknowledged(long last, long logOffset) {
    sent = last;
    if (runs.size() == MOST_RUNS) {
      runs.removeLast();
    }
    runs.addLast(new Run(last, logOffset));
  }

  /** Kafka did not take an event: the lane rests a moment, so that it does not fail in a loop. */
  void lost(Instant now) {
    restsUntil = now.plus(REST);
  }

  boolean rests(Instant now) {
    return now.isBefore(restsUntil);
  }

  /** Takes in where the lane stands; whether everything unfolded is to be sent again. */
  boolean goesBack(Progress lane, Instant now) {
    boolean anew = lane.epoch() != epoch;
    if (anew || lane.offset() != offset) {
      readSince = now;
    }
    if (anew || lane.folded() != folded || lane.lag() == 0) {
      foldedSince = now;
      wentBack = 0;
    }
    epoch = lane.epoch();
    folded = lane.folded();
    offset = lane.offset();
    while (!runs.isEmpty() && runs.getFirst().last() <= folded) {
      runs.removeFirst();
    }
    boolean notTaken = !runs.isEmpty() && runs.getFirst().offset() < offset;
    boolean stalled = now.isAfter(readSince.plus(goBack.multipliedBy(1L << wentBack)));
    boolean goesBack =
        sent > folded && now.isAfter(foldedSince.plus(goBack)) && (notTaken || stalled);
    if (goesBack) {
      foldedSince = now;
      wentBack = Math.min(MOST_DOUBLINGS, wentBack + 1);
    }
    if (goesBack || anew) {
      sent = folded;
      runs.clear();
    }
    return goesBack;
  }
}
