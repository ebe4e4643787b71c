package dev.bitfold.bucket;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Takes the lanes that Kafka deals to this instance and folds their batches. Positions come from
 * Redis: when a lane is found open, its partition is read from the stored offset; a batch that
 * cannot be folded now is read again after the lane is open. Offsets committed to Kafka are for
 * tools to look at.
 */
class FoldListener
    implements BatchAcknowledgingConsumerAwareMessageListener<byte[], byte[]>,
        ConsumerAwareRebalanceListener,
        ConsumerSeekAware {

  private static final Logger log = LoggerFactory.getLogger(FoldListener.class);

  private final String topic;
  private final FoldRound round;
  private final OwnedLanes lanes;
  private final int lanesAtOnce;
  private final TroubleLog trouble;
  private final ThreadLocal<ConsumerSeekCallback> seek = new ThreadLocal<>();
  private final Map<Lane, ConsumerSeekCallback> seeks = new ConcurrentHashMap<>();
  private final Map<Lane, Position> positions = new ConcurrentHashMap<>();
  private volatile MessageListenerContainer container;

  /**
   * Where the fold of a lane stands.
   *
   * @param offset everything before it is folded
   * @param logStart first offset the log is known to have still
   */
  private record Position(long offset, long logStart) {

    static final Position UNKNOWN = new Position(0, 0);
  }

  FoldListener(String topic, FoldRound round, OwnedLanes lanes, int lanesAtOnce, Clock clock) {
    this.trouble = new TroubleLog(log, clock);
    this.topic = topic;
    this.round = round;
    this.lanes = lanes;
    this.lanesAtOnce = lanesAtOnce;
    lanes.onOpen(this::opened);
  }

  /** The container that calls this listener. */
  void runBy(MessageListenerContainer container) {
    this.container = container;
  }

  /** Comes before every other call of a consumer's thread. */
  @Override
  public void registerSeekCallback(ConsumerSeekCallback callback) {
    seek.set(callback);
  }

  /**
   * Takes over whatever the consumer has now. It may be more than it is told to have been dealt: a
   * call that is cut off, because opening a lane wakes the consumer, is repeated without the names
   * of what was dealt.
   */
  @Override
  public synchronized void onPartitionsAssigned(
      Consumer<?, ?> consumer, Collection<TopicPartition> dealt) {
    Set<Lane> fresh = new TreeSet<>(lanesOf(consumer.assignment()));
    fresh.removeIf(lane -> seeks.get(lane) == seek.get());
    fresh.forEach(lane -> seeks.put(lane, seek.get()));
    lanes.assigned(fresh);
    if (!fresh.isEmpty()) {
      log.info("lanes dealt here: {}", fresh);
    }
  }

  /**
   * Called twice, for rebalances and for seeks. Another consumer of this instance may have been
   * dealt a lane before this one hears that it has lost it, or be dealt it at this moment.
   */
  @Override
  public synchronized void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    Set<Lane> revoked = new TreeSet<>(lanesOf(partitions));
    revoked.removeIf(lane -> !seeks.remove(lane, seek.get()));
    lanes.revoked(revoked);
    positions.keySet().removeAll(revoked);
    if (!revoked.isEmpty()) {
      log.info("lanes taken from here: {}", revoked);
    }
  }

  /** The lane is open: goes on from the offset that Redis has, unless it went elsewhere. */
  private void opened(Lane lane, long offset) {
    positions.put(lane, new Position(offset, 0)); // the log may be another one than before
    ConsumerSeekCallback callback = seeks.get(lane);
    if (callback != null) {
      callback.seek(topic, lane.number(), offset);
      container.resumePartition(partition(lane));
    }
  }

  @Override
  public void onMessage(
      List<ConsumerRecord<byte[], byte[]>> read,
      Acknowledgment acknowledgment,
      Consumer<?, ?> consumer) {
    Map<Lane, List<ConsumerRecord<byte[], byte[]>>> batches =
        read.stream()
            .collect(
                groupingBy(record -> new Lane(record.partition()), LinkedHashMap::new, toList()));
    List<Lane> waiting = new ArrayList<>(batches.keySet());
    boolean all = true;
    while (!waiting.isEmpty()) {
      List<Lane> next = waiting.subList(0, Math.min(lanesAtOnce, waiting.size()));
      List<Folding> foldings = next.stream().map(lane -> start(lane, batches.get(lane))).toList();
      next.clear();
      for (Folding folding : foldings) {
        all &= finish(consumer, folding);
      }
    }
    if (all) {
      acknowledgment.acknowledge();
    }
  }

  /**
   * A batch of a lane that is being folded.
   *
   * @param position where the fold of the lane stood
   * @param from offset of its first record
   */
  private record Folding(Lane lane, Position position, long from, CompletionStage<Fold> outcome) {}

  private Folding start(Lane lane, List<ConsumerRecord<byte[], byte[]>> read) {
    Position position = positions.getOrDefault(lane, Position.UNKNOWN);
    List<ConsumerRecord<byte[], byte[]>> records = notFolded(read, position.offset());
    long from = records.get(0).offset();
    try {
      return new Folding(
          lane, position, from, round.start(lane, records, position.logStart(), position.offset()));
    } catch (KafkaUnavailableException away) {
      trouble.warn("lane " + lane + " not folded, read again later", away);
      return new Folding(lane, position, from, CompletableFuture.completedStage(new Fold.Closed()));
    }
  }

  /** Answers whether the batch is folded. */
  private boolean finish(Consumer<?, ?> consumer, Folding folding) {
    Lane lane = folding.lane();
    Position position = folding.position();
    try {
      Fold fold = RedisReplies.await(folding.outcome());
      if (fold instanceof Fold.Folded folded) {
        move(lane, position, new Position(folded.offset(), position.logStart()));
        return true;
      } else if (fold instanceof Fold.Beyond beyond) {
        goBack(consumer, partition(lane), position, beyond.offset());
        return false;
      }
    } catch (LaneClosedException closed) {
      log.debug("lane {} is closed", lane);
    } catch (RedisUnavailableException away) {
      trouble.warn("lane " + lane + " not folded, read again later", away);
    }
    waitForOpen(consumer, partition(lane), folding.from());
    return false;
  }

  /**
   * Leaves out the folded part of a batch that reaches over it. The fold would refuse such a batch,
   * and what is put aside of it would be put aside again.
   */
  private static List<ConsumerRecord<byte[], byte[]>> notFolded(
      List<ConsumerRecord<byte[], byte[]>> records, long offset) {
    boolean reachesOver = records.get(records.size() - 1).offset() >= offset;
    return reachesOver
        ? records.stream().filter(record -> record.offset() >= offset).toList()
        : records;
  }

  /** Notes where the fold stands, unless the lane was opened anew meanwhile, or went elsewhere. */
  private void move(Lane lane, Position from, Position to) {
    if (from == Position.UNKNOWN) {
      positions.putIfAbsent(lane, to);
    } else {
      positions.replace(lane, from, to);
    }
  }

  /** Reads again from the stored offset, or from where the log begins if that is later. */
  private void goBack(
      Consumer<?, ?> consumer, TopicPartition partition, Position position, long stored) {
    long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
    if (begin > stored) {
      log.warn("{} begins at {}, after the stored offset {}", partition, begin, stored);
    }
    move(
        new Lane(partition.partition()),
        position,
        new Position(stored, Math.max(begin, position.logStart())));
    consumer.seek(partition, Math.max(begin, stored));
  }

  /** Reads the batch again when the lane is open. Paused first, so that opening it resumes it. */
  private void waitForOpen(Consumer<?, ?> consumer, TopicPartition partition, long offset) {
    consumer.seek(partition, offset);
    container.pausePartition(partition);
    lanes.closed(new Lane(partition.partition()));
  }

  private TopicPartition partition(Lane lane) {
    return new TopicPartition(topic, lane.number());
  }

  private static Set<Lane> lanesOf(Collection<TopicPartition> partitions) {
    return Set.copyOf(partitions.stream().map(p -> new Lane(p.partition())).toList());
  }
}
