package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long answers are held back while the fold lags. */
class AnswerHoldTest {

  private static final int EASE = 500;
  private static final Duration LONGEST = Duration.ofMillis(180);

  /** What an answer was held for; while it is, what {@link #meanwhile} does. */
  private final List<Duration> pauses = new ArrayList<>();

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Runnable meanwhile = () -> {};

  private AnswerHold holding(Duration longest, int places) {
    FactSettings settings =
        new FactSettings(
            Durability.FAST,
            Duration.ZERO,
            Duration.ZERO,
            100_000,
            EASE,
            longest,
            places,
            500,
            500,
            5000,
            128);
    return new AnswerHold(
        settings,
        pause -> {
          pauses.add(pause);
          meanwhile.run();
        },
        meters);
  }

  @Test
  void nothing_is_held_back_up_to_the_ease() {
    AnswerHold hold = holding(LONGEST, 1);
    hold.until(0);
    hold.until(EASE);
    assertThat(pauses).isEmpty();
    assertThat(meters.counter("bitfold.fact.held").count()).isZero();
  }

  @Test
  void the_more_events_wait_the_longer_up_to_the_longest_hold() {
    AnswerHold hold = holding(LONGEST, 1);
    hold.until(2 * EASE);
    hold.until(10 * EASE);
    hold.until(200 * EASE);
    assertThat(pauses).containsExactly(Duration.ofMillis(20), LONGEST, LONGEST);
    assertThat(meters.counter("bitfold.fact.held").count()).isEqualTo(3);
  }

  @Test
  void a_longest_hold_of_zero_holds_nothing_back() {
    holding(Duration.ZERO, 1).until(10 * EASE);
    assertThat(pauses).isEmpty();
  }

  @Test
  void only_so_many_answers_are_held_back_at_once() {
    AnswerHold hold = holding(LONGEST, 2);
    meanwhile = () -> hold.until(10 * EASE);
    hold.until(10 * EASE);
    assertThat(pauses).hasSize(2);
    meanwhile = () -> {};
    hold.until(10 * EASE);
    assertThat(pauses).hasSize(3);
  }
}
