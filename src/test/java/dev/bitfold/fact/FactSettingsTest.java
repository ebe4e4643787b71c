package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long answers are held back while the fold lags. */
class FactSettingsTest {

  private static final int EASE = 500;

  private static FactSettings holding(Duration longest) {
    return new FactSettings(
        Durability.FAST, Duration.ZERO, Duration.ZERO, 100_000, EASE, longest, 500, 500, 5000, 256);
  }

  @Test
  void nothing_is_held_back_up_to_the_ease() {
    FactSettings settings = holding(Duration.ofMillis(200));
    assertThat(settings.hold(0)).isZero();
    assertThat(settings.hold(EASE)).isZero();
  }

  @Test
  void the_more_events_wait_the_longer_up_to_the_longest_hold() {
    FactSettings settings = holding(Duration.ofMillis(180));
    assertThat(settings.hold(2 * EASE)).isEqualTo(Duration.ofMillis(20));
    assertThat(settings.hold(10 * EASE)).isEqualTo(Duration.ofMillis(180));
    assertThat(settings.hold(200 * EASE)).isEqualTo(Duration.ofMillis(180));
  }

  @Test
  void a_longest_hold_of_zero_holds_nothing_back() {
    assertThat(holding(Duration.ZERO).hold(10 * EASE)).isZero();
  }
}
