package dev.bitfold.outbox;

import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.Lane;
import dev.bitfold.outbox.OutboxReadScript.Read;
import dev.bitfold.platform.kafka.TopicSettings;
import dev.bitfold.platform.time.TroubleLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.SendResult;

/**
 * One pass over a lane's outbox: sends what follows the last acknowledged event, and goes back to
 * the first one that was not acknowledged. It deletes nothing: an entry lives until it is folded,
 * and what the fold has read past or does not come to is sent again.
 */
class RelayRound {

  private static final Logger log = LoggerFactory.getLogger(RelayRound.class);

  private final OutboxReadScript script;
  private final KafkaTemplate<String, byte[]> kafka;
  private final EventCodec codec;
  private final OwnedLanes lanes;
  private final RelaySettings settings;
  private final TopicSettings topics;
  private final Clock clock;
  private final TroubleLog trouble;
  private final Counter relayed;
  private final Counter failed;
  private final Counter wentBack;
  private final Map<Lane, RelayCursor> cursors = new ConcurrentHashMap<>();

  RelayRound(
      OutboxReadScript script,
      KafkaTemplate<String, byte[]> kafka,
      EventCodec codec,
      OwnedLanes lanes,
      RelaySettings settings,
      TopicSettings topics,
      Clock clock,
      MeterRegistry meters) {
    this.script = script;
    this.kafka = kafka;
    this.codec = codec;
    this.lanes = lanes;
    this.settings = settings;
    this.topics = topics;
    this.clock = clock;
    this.trouble = new TroubleLog(log, clock);
    this.relayed = meters.counter("bitfold.outbox.events", "outcome", "relayed");
    this.failed = meters.counter("bitfold.outbox.events", "outcome", "failed");
    this.wentBack = meters.counter("bitfold.outbox.go.backs");
  }

  RelayResult run(Lane lane) {
    RelayCursor cursor =
        cursors.computeIfAbsent(
            lane, unseen -> new RelayCursor(settings.goBack(), clock.instant()));
    Read read = script.run(lane, cursor.sent(), settings.entries());
    lanes.seen(lane, read.progress());
    long before = cursor.sent();
    if (cursor.goesBack(read.progress(), clock.instant())) {
      wentBack.increment();
    }
    if (cursor.sent() != before) {
      return new RelayResult(0, 0, true);
    }
    List<RecordMetadata> acknowledged = send(read.events());
    int last = acknowledged.size() - 1;
    int lost = read.events().size() - acknowledged.size();
    relayed.increment(acknowledged.size());
    failed.increment(lost);
    if (last >= 0) {
      cursor.acknowledged(read.events().get(last).seq(), acknowledged.get(last).offset());
    }
    return new RelayResult(acknowledged.size(), lost, false);
  }

  /**
   * Sends in order and answers the acknowledgements of the first ones, up to one that is missing.
   */
  private List<RecordMetadata> send(List<Event> events) {
    List<CompletableFuture<SendResult<String, byte[]>>> sends = new ArrayList<>(events.size());
    try {
      for (Event event : events) {
        sends.add(
            kafka.send(
                topics.events(),
                event.lane().number(),
                EventCodec.key(event),
                codec.encode(event)));
      }
    } catch (KafkaException refused) {
      trouble.warn("Kafka does not take events", refused);
    }
    return acknowledged(sends);
  }

  private List<RecordMetadata> acknowledged(
      List<CompletableFuture<SendResult<String, byte[]>>> sends) {
    long deadline = System.nanoTime() + settings.sendWait().toNanos();
    List<RecordMetadata> acknowledged = new ArrayList<>(sends.size());
    try {
      for (CompletableFuture<SendResult<String, byte[]>> send : sends) {
        SendResult<String, byte[]> result =
            send.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        acknowledged.add(result.getRecordMetadata());
      }
    } catch (ExecutionException lost) {
      trouble.warn("event not acknowledged, sent again", lost.getCause());
    } catch (TimeoutException late) {
      trouble.warn("event not acknowledged in time, sent again", late);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    return acknowledged;
  }

  /** Forgets lanes that are no longer owned here. */
  void keepOnly(Collection<Lane> owned) {
    cursors.keySet().retainAll(owned);
  }
}
