package dev.bitfold.outbox;

import dev.bitfold.metric.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.springframework.kafka.support.SendResult;

/**
 * Events of a lane on their way to Kafka, until the last of them is acknowledged or lost.
 *
 * @param events in order
 * @param sends one for each event that the client has taken
 * @param givenUp when what is not acknowledged counts as lost
 */
record Sending(
    List<Event> events,
    List<CompletableFuture<SendResult<String, byte[]>>> sends,
    Instant givenUp) {

  boolean over(Instant now) {
    return now.isAfter(givenUp) || sends.stream().allMatch(CompletableFuture::isDone);
  }

  /** Whether the client has not taken all events. */
  boolean refused() {
    return sends.size() < events.size();
  }

  /** The acknowledgements of the first events, up to one that is lost. */
  List<RecordMetadata> acknowledged() {
    List<RecordMetadata> acknowledged = new ArrayList<>(sends.size());
    for (CompletableFuture<SendResult<String, byte[]>> send : sends) {
      if (!send.isDone() || send.isCompletedExceptionally()) {
        break;
      }
      acknowledged.add(send.join().getRecordMetadata());
    }
    return acknowledged;
  }

  /** Why an event that is lost was lost. */
  Throwable failure(int event) {
    CompletableFuture<SendResult<String, byte[]>> send = sends.get(event);
    if (!send.isDone()) {
      return new TimeoutException("no answer in time");
    }
    return send.<Throwable>handle((result, failure) -> failure).join();
  }

  /** Tells when the last one is acknowledged or lost. */
  void whenDone(Runnable then) {
    CompletableFuture.allOf(sends.toArray(CompletableFuture[]::new))
        .whenComplete((none, failure) -> then.run());
  }
}
