package dev.bitfold.platform;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Duration;
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
    MovableClock clock = new MovableClock();
    TroubleLog trouble = new TroubleLog(logger, clock);

    for (int second = 0; second <= 10; second++) {
      trouble.warn("not done", new IllegalStateException("away"));
      clock.forward(Duration.ofSeconds(1));
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "not done: away", "not done: away (9 more of this kind since the last time)");
  }
}
