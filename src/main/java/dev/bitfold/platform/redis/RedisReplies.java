package dev.bitfold.platform.redis;

import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waiting for Redis, with every way it can fail turned into one exception. */
public final class RedisReplies {

  private RedisReplies() {}

  /**
   * The value, or {@link RedisUnavailableException}, or what a later stage threw. The client ends
   * every command after its timeout, so there is none here: on a virtual thread it would cost more
   * than the wait.
   */
  public static <T> T await(CompletionStage<T> reply) {
    CompletableFuture<T> future = reply.toCompletableFuture();
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw translate(failed.getCause());
    } catch (CancellationException cancelled) {
      throw new RedisUnavailableException("Redis did not answer", cancelled);
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
