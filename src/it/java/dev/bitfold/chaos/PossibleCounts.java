package dev.bitfold.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The counts that one field of a counter may have shown in a round: at each moment at least the
 * facts that certainly held and at most those that may have held. A counter lags, so a reading may
 * show a moment before its request: {@link #age} tells how long before.
 */
final class PossibleCounts {

  private static final int NO = 1;
  private static final int YES = 2;

  private final List<Shift> shifts = new ArrayList<>();
  private final List<Loss> losses;
  private long least;
  private long most;
  private long[] times = {};
  private long[] leasts = {};
  private long[] mosts = {};

  /** From a time on, so many more or fewer facts hold for certain, or perhaps. */
  private record Shift(long time, int least, int most) {}

  PossibleCounts(List<Loss> losses) {
    this.losses = losses;
  }

  /**
   * A moment at which a fact may begin to be another way.
   *
   * @param ways how it may be from now on
   * @param certain it is no other way any longer
   * @param forGood it may be so at any later time of the round
   */
  private record Turn(long time, int ways, boolean certain, boolean forGood) {}

  /** Adds a fact and the operations on it. */
  void add(boolean first, List<Operation> operations) {
    least += first ? 1 : 0;
    most += first ? 1 : 0;
    int state = first ? YES : NO;
    int always = 0;
    for (Turn turn : turns(operations)) {
      always |= turn.forGood() ? turn.ways() : 0;
      int next = turn.certain() ? turn.ways() | always : turn.ways() | state;
      shift(turn.time(), state, next);
      state = next;
    }
  }

  private List<Turn> turns(List<Operation> operations) {
    List<Turn> turns = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation.outcome() == Operation.Outcome.REFUSED) {
        continue;
      }
      int wanted = operation.wanted() ? YES : NO;
      turns.add(new Turn(operation.sent(), wanted, false, !operation.answered()));
      if (operation.answered()) {
        turns.add(new Turn(operation.ended(), wanted, true, false));
      }
    }
    for (Loss loss : losses) {
      if (operations.stream().anyMatch(loss::touches)) {
        turns.add(new Turn(loss.begin(), YES | NO, false, true));
      }
    }
    turns.sort(Comparator.comparingLong(Turn::time));
    return turns;
  }

  private void shift(long time, int before, int after) {
    int least = certain(after) - certain(before);
    int most = possible(after) - possible(before);
    if (least != 0 || most != 0) {
      shifts.add(new Shift(time, least, most));
    }
  }

  private static int certain(int state) {
    return state == YES ? 1 : 0;
  }

  private static int possible(int state) {
    return (state & YES) == 0 ? 0 : 1;
  }

  /** No more facts are added. */
  PossibleCounts complete() {
    shifts.sort(Comparator.comparingLong(Shift::time));
    int size = shifts.size() + 1;
    times = new long[size];
    leasts = new long[size];
    mosts = new long[size];
    times[0] = Long.MIN_VALUE;
    leasts[0] = least;
    mosts[0] = most;
    for (int i = 1; i < size; i++) {
      Shift shift = shifts.get(i - 1);
      times[i] = shift.time();
      leasts[i] = leasts[i - 1] + shift.least();
      mosts[i] = mosts[i - 1] + shift.most();
    }
    return this;
  }

  /**
   * How long before its request what a reading shows was possible for the last time, in
   * microseconds: 0 if it still was between request and answer; nothing if it never was in the
   * round.
   */
  OptionalLong age(Reading reading) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = at(reading.ended()); i >= 0; i--) {
      low = Math.min(low, leasts[i]);
      high = Math.max(high, mosts[i]);
      if (reading.count() >= low && reading.count() <= high) {
        return OptionalLong.of(
            i + 1 < times.length ? Math.max(0, reading.sent() - times[i + 1]) : 0);
      }
    }
    return OptionalLong.empty();
  }

  private int at(long time) {
    int found = Arrays.binarySearch(times, time);
    if (found < 0) {
      return -found - 2;
    }
    while (found + 1 < times.length && times[found + 1] == time) {
      found++;
    }
    return found;
  }
}
