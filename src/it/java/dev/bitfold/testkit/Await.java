package dev.bitfold.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waiting for a condition, with one deadline for all tests. */
public final class Await {

  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private Await() {}

  public static void until(String what, Callable<Boolean> condition) {
    until(what, DEADLINE, condition);
  }

  public static void until(String what, Duration deadline, Callable<Boolean> condition) {
    Awaitility.await(what)
        .atMost(deadline)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }
}
