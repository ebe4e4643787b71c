package dev.bitfold.testkit;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waiting for a condition, with one deadline for all tests. */
public final class Await {

  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private Await() {}

  public static void until(String what, Callable<Boolean> condition) {
    until(what, DEADLINE, condition);
  }

  public static void until(String what, Duration deadline, Callable<Boolean> condition) {
    patient(what, deadline).until(condition);
  }

  /** The success that a call comes to, which is sent again while it gets a 503 or no answer. */
  public static Http.Answer success(Callable<Http.Answer> call) {
    Http.Answer answer =
        patient("an answer other than 503", DEADLINE)
            .ignoreExceptionsInstanceOf(UncheckedIOException.class)
            .until(call, found -> found.status() != 503);
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.status() + " " + answer.text());
    }
    return answer;
  }

  private static ConditionFactory patient(String what, Duration deadline) {
    return Awaitility.await(what)
        .atMost(deadline)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50));
  }
}
