package dev.bitfold.outbox;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.Lane;
import dev.bitfold.outbox.OutboxReadScript.Read;
import dev.bitfold.platform.kafka.TopicSettings;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.SendResult;

/**
 * One pass over the outboxes of lanes: reads them, many in one go, and sends what follows the last
 * acknowledged event of each. It waits for no acknowledgement: a lane that has events on their way
 * is left out until they are acknowledged or lost, and goes back to the first that is lost. It
 * deletes nothing: an entry lives until it is folded, and what the fold has read past or does not
 * come to is sent again. One thread.
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
  private final Map<Lane, RelayCursor> cursors = new HashMap<>();
  private final Map<Lane, Sending> sendings = new HashMap<>();

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

  /**
   * Relays these lanes and forgets all others.
   *
   * @param more called when all of a lane's events are acknowledged or lost and more of them waited
   */
  RelayResult run(Collection<Lane> open, Runnable more) {
    cursors.keySet().retainAll(open);
    sendings.keySet().retainAll(open);
    RelayResult result = RelayResult.NOTHING;
    for (Lane lane : List.copyOf(sendings.keySet())) {
      if (sendings.get(lane).over(clock.instant())) {
        result = result.plus(settle(lane, sendings.remove(lane)));
      }
    }
    List<Lane> waiting = new ArrayList<>(open);
    waiting.removeIf(lane -> sendings.containsKey(lane) || cursor(lane).rests(clock.instant()));
    // If one is refused, the others would wait as long, one after the other.
    while (!waiting.isEmpty() && result.refused() == 0) {
      List<Lane> next = waiting.subList(0, Math.min(settings.lanesAtOnce(), waiting.size()));
      result = result.plus(relay(next, more));
      next.clear();
    }
    return result;
  }

  private RelayResult relay(List<Lane> lanes, Runnable more) {
    Map<Lane, CompletionStage<Read>> reads = new LinkedHashMap<>();
    for (Lane lane : lanes) {
      reads.put(lane, script.start(lane, cursor(lane).sent(), settings.events()));
    }
    RelayResult result = RelayResult.NOTHING;
    for (Map.Entry<Lane, CompletionStage<Read>> read : reads.entrySet()) {
      if (result.refused() == 0) {
        result = result.plus(relay(read.getKey(), read.getValue(), more));
      }
    }
    return result;
  }

  private RelayCursor cursor(Lane lane) {
    return cursors.computeIfAbsent(
        lane, unseen -> new RelayCursor(settings.goBack(), clock.instant()));
  }

  private RelayResult settle(Lane lane, Sending sending) {
    List<RecordMetadata> acknowledged = sending.acknowledged();
    int last = acknowledged.size() - 1;
    int lost = sending.events().size() - acknowledged.size();
    relayed.increment(acknowledged.size());
    failed.increment(lost);
    if (last >= 0) {
      cursor(lane).acknowledged(sending.events().get(last).seq(), acknowledged.get(last).offset());
    }
    if (lost > 0) {
      cursor(lane).lost(clock.instant());
    }
    if (lost > 0 && !sending.refused()) {
      trouble.warn("event not acknowledged, sent again", sending.failure(last + 1));
    }
    return new RelayResult(acknowledged.size(), lost, 0, 0);
  }

  private RelayResult relay(Lane lane, CompletionStage<Read> reading, Runnable more) {
    try {
      Read read = RedisReplies.await(reading);
      lanes.seen(lane, read.progress());
      RelayCursor cursor = cursor(lane);
      long before = cursor.sent();
      if (cursor.goesBack(read.progress(), clock.instant())) {
        wentBack.increment();
      }
      boolean taken = cursor.sent() != before || send(lane, read, more);
      return taken ? RelayResult.NOTHING : RelayResult.REFUSED;
    } catch (LaneClosedException closed) {
      lanes.closed(lane);
      return RelayResult.NOTHING;
    } catch (RedisUnavailableException away) {
      trouble.warn("lane " + lane + " not relayed, tried again", away);
      return RelayResult.NOT_READ;
    } catch (RuntimeException unexpected) {
      log.error("lane {} not relayed, tried again", lane, unexpected);
      return RelayResult.NOT_READ;
    }
  }

  /** Sends in order; answers whether the client has taken all events. */
  private boolean send(Lane lane, Read read, Runnable more) {
    List<Event> events = read.events();
    if (events.isEmpty()) {
      return true;
    }
    List<CompletableFuture<SendResult<String, byte[]>>> sends = new ArrayList<>(events.size());
    Sending sending = new Sending(events, sends, clock.instant().plus(settings.sendWait()));
    sendings.put(lane, sending);
    try {
      for (Event event : events) {
        sends.add(
            kafka.send(topics.events(), lane.number(), EventCodec.key(event), codec.encode(event)));
      }
    } catch (KafkaException refused) {
      trouble.warn("Kafka does not take events", refused);
      return false;
    }
    if (events.get(events.size() - 1).seq() < read.progress().seq()) {
      sending.whenDone(more);
    }
    return true;
  }
}
