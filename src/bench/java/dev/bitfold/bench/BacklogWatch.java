package dev.bitfold.bench;

import dev.bitfold.testkit.Backlog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at the backlog ten times a second until it is closed. */
final class BacklogWatch implements AutoCloseable {

  private static final int EVERY_MILLIS = 100;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final List<Long> seen = new ArrayList<>();

  BacklogWatch(Backlog backlog) {
    thread.scheduleAtFixedRate(
        () -> look(backlog), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void look(Backlog backlog) {
    seen.add(backlog.events());
  }

  synchronized long most() {
    return seen.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The mean of a third of the time: 0, 1 or 2. */
  synchronized double third(int number) {
    int third = seen.size() / 3;
    return seen.subList(number * third, (number + 1) * third).stream()
        .mapToLong(Long::longValue)
        .average()
        .orElse(0);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
