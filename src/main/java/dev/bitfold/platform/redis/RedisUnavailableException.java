package dev.bitfold.platform.redis;

import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;
import org.jspecify.annotations.Nullable;

/** Redis did not do what was asked: away, too slow, loading or out of memory. */
public class RedisUnavailableException extends ApiException {

  public RedisUnavailableException(String message, @Nullable Throwable cause) {
    super(ProblemCode.REDIS_UNAVAILABLE, message, cause);
  }
}
