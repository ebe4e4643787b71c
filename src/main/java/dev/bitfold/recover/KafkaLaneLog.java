package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.EventCodec.Poisoned;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.KafkaReplies;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.kafka.TopicSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * The logs of the lanes in Kafka: each a partition, read from end to end outside the consumer
 * group. Used by one thread.
 */
class KafkaLaneLog implements LaneLog, AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);

  private final ConsumerFactory<byte[], byte[]> consumers;
  private final KafkaTemplate<String, byte[]> producer;
  private final EventCodec codec;
  private final CounterEvents topic;
  private final TopicSettings topics;
  private final RecoverSettings settings;
  private @Nullable Consumer<byte[], byte[]> consumer;

  KafkaLaneLog(
      ConsumerFactory<byte[], byte[]> consumers,
      KafkaTemplate<String, byte[]> producer,
      EventCodec codec,
      CounterEvents topic,
      TopicSettings topics,
      RecoverSettings settings) {
    this.consumers = consumers;
    this.producer = producer;
    this.codec = codec;
    this.topic = topic;
    this.topics = topics;
    this.settings = settings;
  }

  @Override
  public String knownTopic() {
    return topic.knownId();
  }

  @Override
  public String topic() throws KafkaUnavailableException {
    return topic.describe().topicId().toString();
  }

  @Override
  public Range range(Lane lane) throws KafkaUnavailableException {
    TopicPartition partition = new TopicPartition(topics.events(), lane.number());
    try {
      Consumer<byte[], byte[]> consumer = consumer();
      consumer.assign(List.of(partition));
      long begin = consumer.beginningOffsets(List.of(partition), settings.stall()).get(partition);
      long end = consumer.endOffsets(List.of(partition), settings.stall()).get(partition);
      return new Range(begin, end);
    } catch (KafkaException away) {
      throw new KafkaUnavailableException(away);
    }
  }

  @Override
  public void read(Lane lane, long from, long to, Visitor visitor)
      throws KafkaUnavailableException {
    if (from >= to) {
      return;
    }
    TopicPartition partition = new TopicPartition(topics.events(), lane.number());
    try {
      Consumer<byte[], byte[]> consumer = consumer();
      consumer.assign(List.of(partition));
      consumer.seek(partition, from);
      long deadline = System.nanoTime() + settings.stall().toNanos();
      while (consumer.position(partition, settings.stall()) < to) {
        var records = consumer.poll(POLL).records(partition);
        if (!records.isEmpty()) {
          deadline = System.nanoTime() + settings.stall().toNanos();
        } else if (System.nanoTime() > deadline) {
          throw new KafkaUnavailableException(
              new TimeoutException("the log of lane " + lane + " cannot be read to its end"));
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
          if (record.offset() < to) {
            decode(lane, record).ifPresent(found -> visitor.visit(record.offset(), found));
          }
        }
      }
    } catch (KafkaException away) {
      throw new KafkaUnavailableException(away);
    }
  }

  /** Poisoned records are the fold's to report; those it has not come to yet nobody reports. */
  private Optional<LogRecord> decode(Lane lane, ConsumerRecord<byte[], byte[]> record) {
    try {
      return Optional.of(codec.decode(lane, record.value()));
    } catch (Poisoned poisoned) {
      return Optional.empty();
    }
  }

  @Override
  public void append(EpochMarker marker) throws KafkaUnavailableException {
    try {
      KafkaReplies.await(
          producer.send(
              topics.events(),
              marker.lane().number(),
              EventCodec.key(marker),
              codec.encode(marker)),
          settings.stall());
    } catch (org.springframework.kafka.KafkaException refused) {
      throw new KafkaUnavailableException(refused);
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    if (consumer == null) {
      Properties neverSkip = new Properties();
      neverSkip.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
      consumer = consumers.createConsumer(null, "", "recover", neverSkip);
    }
    return consumer;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
  }
}
