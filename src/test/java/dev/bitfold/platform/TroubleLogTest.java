package dev.bitfold.platform;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TroubleLogTest {

  @Test
  void trouble_is_told_at_once_and_then_summed_up() {
    Logger logger = (Logger) LoggerFactory.getLogger(TroubleLogTest.class);
    logger.setAdditive(false);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    TroubleLog trouble = new TroubleLog(logger, clock(now));

    for (int second = 0; second <= 10; second++) {
      now.set(Instant.EPOCH.plusSeconds(second));
      trouble.warn("not done", new IllegalStateException("away"));
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "not done: away", "not done: away (9 more of this kind since the last time)");
  }

  private static Clock clock(AtomicReference<Instant> now) {
    return new Clock() {
      @Override
      public ZoneOffset getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return now.get();
      }
    };
  }
}
