package dev.bitfold.platform.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;

/**
 * Warns of trouble that comes again and again: at once the first time, then at most every ten
 * seconds with how often it came meanwhile.
 */
public final class TroubleLog {

  private static final Duration QUIET = Duration.ofSeconds(10);

  private final Logger log;
  private final Clock clock;
  private Instant quietUntil = Instant.MIN;
  private long unsaid;

  public TroubleLog(Logger log, Clock clock) {
    this.log = log;
    this.clock = clock;
  }

  public synchronized void warn(String trouble, Throwable why) {
    Instant now = clock.instant();
    if (now.isBefore(quietUntil)) {
      unsaid++;
      return;
    }
    if (unsaid > 0) {
      log.warn(
          "{}: {} ({} more of this kind since the last time)", trouble, why.getMessage(), unsaid);
    } else {
      log.warn("{}: {}", trouble, why.getMessage());
    }
    unsaid = 0;
    quietUntil = now.plus(QUIET);
  }
}
