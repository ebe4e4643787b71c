package dev.bitfold.platform.redis;

import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/**
 * What the service asks of Redis before it can start: tried again for some seconds, because Redis
 * may be starting too, and a cold process is slow to connect.
 */
public final class RedisStart {

  private static final RetryPolicy SOME_SECONDS =
      RetryPolicy.builder()
          .includes(RedisConnectionException.class, RedisUnavailableException.class)
          .maxRetries(15)
          .delay(Duration.ofMillis(500))
          .build();

  private RedisStart() {}

  /** What the work answers; its last failure if Redis did not come. */
  public static <T> T await(Supplier<T> work) {
    return new RetryTemplate(SOME_SECONDS).invoke(work);
  }
}
