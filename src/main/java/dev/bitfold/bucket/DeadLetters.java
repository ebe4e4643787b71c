package dev.bitfold.bucket;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.platform.kafka.KafkaReplies;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.kafka.TopicSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;

/** The topic of records that are not events, each with its reason and where it came from. */
class DeadLetters {

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

  /** A letter must fit into a request of the producer, headers and all. */
  private static final int LARGEST_VALUE = 256 * 1024;

  private static final int LONGEST_REASON = 500;

  private final KafkaTemplate<String, byte[]> kafka;
  private final TopicSettings topics;
  private final FoldSettings settings;
  private final Counter dead;

  DeadLetters(
      KafkaTemplate<String, byte[]> kafka,
      TopicSettings topics,
      FoldSettings settings,
      MeterRegistry meters) {
    this.kafka = kafka;
    this.topics = topics;
    this.settings = settings;
    this.dead = meters.counter("bitfold.bucket.dead.letters");
  }

  /** Puts a record aside and waits until Kafka has it. */
  void put(ConsumerRecord<byte[], byte[]> record, String reason) throws KafkaUnavailableException {
    String key = record.key() == null ? null : readable(LaneKeys.text(record.key()));
    byte[] value = record.value();
    boolean whole = value == null || value.length <= LARGEST_VALUE;
    var letter =
        new ProducerRecord<String, byte[]>(
            topics.dead(), key, whole ? value : Arrays.copyOf(value, LARGEST_VALUE));
    header(letter, "reason", readable(reason));
    header(letter, "topic", record.topic());
    header(letter, "partition", Integer.toString(record.partition()));
    header(letter, "offset", Long.toString(record.offset()));
    if (!whole) {
      header(letter, "truncated", Integer.toString(value.length));
    }
    try {
      KafkaReplies.await(kafka.send(letter), settings.deadLetterWait());
    } catch (KafkaException refused) {
      throw new KafkaUnavailableException(refused);
    }
    dead.increment();
    log.warn(
        "record {}-{}@{} is not an event and was put aside: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        readable(reason));
  }

  /** A reason may quote the record: no control characters, and not endless. */
  private static String readable(String reason) {
    String line = reason.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
  }

  private static void header(ProducerRecord<?, ?> letter, String name, String value) {
    letter.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
