package dev.bitfold.fact;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Holds answers to toggles back while the fold of their lane lags, the longer the more it lags:
 * callers who wait for their answers go no faster than the pipeline, long before its outbox is
 * full. The toggles are applied before, so nobody else waits. Only so many answers are held at
 * once, so that the calls of one lane do not take up all that an instance may have.
 */
final class AnswerHold {

  private static final int EASES_TO_LONGEST = 10;

  private final FactSettings settings;
  private final Consumer<Duration> pause;
  private final Semaphore places;
  private final Counter held;

  AnswerHold(FactSettings settings, Consumer<Duration> pause, MeterRegistry meters) {
    this.settings = settings;
    this.pause = pause;
    this.places = new Semaphore(settings.heldAnswers());
    this.held = meters.counter("bitfold.fact.held");
  }

  /** Returns when an answer may be given, with so many events that waited for their fold. */
  void until(long unfolded) {
    Duration hold = length(unfolded);
    if (hold.isZero() || !places.tryAcquire()) {
      return;
    }
    try {
      held.increment();
      pause.accept(hold);
    } finally {
      places.release();
    }
  }

  private Duration length(long unfolded) {
    long beyond = Math.max(0, unfolded - settings.outboxEase());
    long most = (EASES_TO_LONGEST - 1L) * settings.outboxEase();
    return settings.longestHold().multipliedBy(Math.min(beyond, most)).dividedBy(most);
  }
}
