package dev.bitfold.outbox;

import dev.bitfold.lane.LaneStatus.Progress;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * One pass over a lane's outbox: sends what follows the last acknowledged event, and goes back to
 * the first one that was not acknowledged. It deletes nothing: an entry lives until it is folded,
 * and if the fold stands still, everything unfolded is sent again.
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
  private final Map<Lane, Cursor> cursors = new ConcurrentHashMap<>();

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

  /** How far a lane was sent, and since when its fold stands where it stands. */
  private record Cursor(long epoch, long sent, long folded, Instant since) {}

  RelayResult run(Lane lane) {
    Cursor cursor = cursors.getOrDefault(lane, new Cursor(0, 0, 0, clock.instant()));
    Read read = script.run(lane, cursor.sent(), settings.entries());
    lanes.seen(lane, read.progress());
    Cursor now = advance(cursor, read.progress());
    cursors.put(lane, now);
    if (now.sent() < cursor.sent()) {
      wentBack.increment();
      return new RelayResult(0, 0, true);
    }
    int acknowledged = send(read.events());
    int lost = read.events().size() - acknowledged;
    relayed.increment(acknowledged);
    failed.increment(lost);
    if (acknowledged > 0) {
      long sent = read.events().get(acknowledged - 1).seq();
      cursors.put(lane, new Cursor(now.epoch(), sent, now.folded(), now.since()));
    }
    return new RelayResult(acknowledged, lost, false);
  }

  /** Starts over in a new epoch, and when the fold has not moved for long although all was sent. */
  private Cursor advance(Cursor cursor, Progress progress) {
    Instant now = clock.instant();
    if (progress.epoch() != cursor.epoch()) {
      return new Cursor(progress.epoch(), progress.folded(), progress.folded(), now);
    }
    if (progress.folded() != cursor.folded() || progress.lag() == 0) {
      return new Cursor(progress.epoch(), cursor.sent(), progress.folded(), now);
    }
    if (now.isAfter(cursor.since().plus(settings.goBack()))) {
      return new Cursor(progress.epoch(), progress.folded(), progress.folded(), now);
    }
    return cursor;
  }

  /** Sends in order and answers how many of the first ones were acknowledged. */
  private int send(List<Event> events) {
    List<CompletableFuture<?>> sends = new ArrayList<>(events.size());
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

  private int acknowledged(List<CompletableFuture<?>> sends) {
    long deadline = System.nanoTime() + settings.sendWait().toNanos();
    int acknowledged = 0;
    try {
      for (CompletableFuture<?> send : sends) {
        send.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        acknowledged++;
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
