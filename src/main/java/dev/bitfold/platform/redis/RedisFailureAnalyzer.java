package dev.bitfold.platform.redis;

import io.lettuce.core.RedisConnectionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence that Redis could not be reached at the start. */
class RedisFailureAnalyzer extends AbstractFailureAnalyzer<RedisConnectionException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, RedisConnectionException cause) {
    return new FailureAnalysis(
        "Redis cannot be reached: " + cause.getMessage() + ".",
        "Start Redis, or give its address with spring.data.redis.url or"
            + " spring.data.redis.cluster.nodes.",
        cause);
  }
}
