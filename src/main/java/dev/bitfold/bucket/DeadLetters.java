package dev.bitfold.bucket;

import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.kafka.TopicSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;

/** The topic of records that are not events, each with its reason and where it came from. */
class DeadLetters {

  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

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
    String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
    var letter = new ProducerRecord<String, byte[]>(topics.dead(), key, record.value());
    header(letter, "reason", reason);
    header(letter, "topic", record.topic());
    header(letter, "partition", Integer.toString(record.partition()));
    header(letter, "offset", Long.toString(record.offset()));
    try {
      kafka.send(letter).get(settings.deadLetterWait().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException refused) {
      throw new KafkaUnavailableException(refused.getCause());
    } catch (TimeoutException | KafkaException late) {
      throw new KafkaUnavailableException(late);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new KafkaUnavailableException(stopping);
    }
    dead.increment();
    log.warn(
        "record {}-{}@{} is not an event and was put aside: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        reason);
  }

  private static void header(ProducerRecord<?, ?> letter, String name, String value) {
    letter.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
