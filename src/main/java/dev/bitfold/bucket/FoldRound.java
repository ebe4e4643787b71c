package dev.bitfold.bucket;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.EventCodec.Poisoned;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Folds one batch of one partition; what is not an event goes to the dead letters first. */
class FoldRound {

  private final FoldScript script;
  private final EventCodec codec;
  private final DeadLetters deadLetters;
  private final MeterRegistry meters;

  FoldRound(FoldScript script, EventCodec codec, DeadLetters deadLetters, MeterRegistry meters) {
    this.script = script;
    this.codec = codec;
    this.deadLetters = deadLetters;
    this.meters = meters;
    List.of("applied", "duplicate", "gap", "stale", "floored")
        .forEach(outcome -> count(outcome, 0));
  }

  /**
   * Folds records that follow each other.
   *
   * @param logStart first offset the log is known to have still
   * @param seen offset below which poisoned records are not put aside: they were, or nobody asks
   */
  CompletionStage<Fold> start(
      Lane lane, List<ConsumerRecord<byte[], byte[]>> records, long logStart, long seen)
      throws KafkaUnavailableException {
    List<Event> events = events(lane, records, seen);
    long next = records.get(records.size() - 1).offset() + 1;
    return script
        .start(lane, new Batch(records.get(0).offset(), next, logStart, events))
        .thenApply(this::counted);
  }

  private List<Event> events(Lane lane, List<ConsumerRecord<byte[], byte[]>> records, long seen)
      throws KafkaUnavailableException {
    List<Event> events = new ArrayList<>(records.size());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        LogRecord decoded = codec.decode(lane, record.value());
        if (decoded instanceof Event event) {
          events.add(event);
        }
      } catch (Poisoned poisoned) {
        if (record.offset() >= seen) {
          deadLetters.put(record, poisoned.getMessage());
        }
      }
    }
    return events;
  }

  private Fold counted(Fold fold) {
    if (fold instanceof Fold.Folded folded) {
      count("applied", folded.applied());
      count("duplicate", folded.duplicates());
      count("gap", folded.gaps());
      count("stale", folded.stale());
      count("floored", folded.floored());
    }
    return fold;
  }

  private void count(String outcome, long events) {
    meters.counter("bitfold.bucket.events", "outcome", outcome).increment(events);
  }
}
