package dev.bitfold.platform.redis;

import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for Redis, with every way it can fail turned into one exception. */
public final class RedisReplies {

  /** Ends a wait that the command timeout of the client has not ended; only a last resort. */
  private static final long LAST_RESORT_SECONDS = 30;

  private RedisReplies() {}

  /** The value, or {@link RedisUnavailableException}, or what a later stage threw. */
  public static <T> T await(CompletionStage<T> reply) {
    CompletableFuture<T> future = reply.toCompletableFuture();
    try {
      return future.get(LAST_RESORT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw translate(failed.getCause());
    } catch (CancellationException | TimeoutException late) {
      throw new RedisUnavailableException("Redis did not answer", late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new RedisUnavailableException("interrupted while waiting for Redis", interrupted);
    }
  }

  private static RuntimeException translate(Throwable cause) {
    Throwable root = cause;
    while (root instanceof CompletionException && root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof RedisException || root instanceof IOException) {
      return new RedisUnavailableException("Redis: " + root.getMessage(), root);
    }
    return root instanceof RuntimeException runtime ? runtime : new IllegalStateException(root);
  }
}
