package dev.bitfold.platform.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for Kafka, with every way it can fail turned into one exception. */
public final class KafkaReplies {

  private KafkaReplies() {}

  public static <T> T await(Future<T> reply, Duration atMost) throws KafkaUnavailableException {
    try {
      return reply.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new KafkaUnavailableException(failed.getCause());
    } catch (TimeoutException late) {
      throw new KafkaUnavailableException(late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new KafkaUnavailableException(interrupted);
    }
  }
}
