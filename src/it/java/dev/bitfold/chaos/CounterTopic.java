package dev.bitfold.chaos;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.Await;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What somebody with access to Kafka can do to the topic and the group of the service. */
final class CounterTopic implements AutoCloseable {

  private static final String TOPIC = "counter-events";
  private static final String GROUP = "bitfold";
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final Map<String, Object> address;
  private final Admin admin;

  CounterTopic(String bootstrapServers) {
    address = Map.of("bootstrap.servers", bootstrapServers);
    admin = Admin.create(address);
  }

  /** Deletes the topic; the service is left to create it again. */
  void delete() {
    var id = await(admin.describeTopics(Set.of(TOPIC)).allTopicNames()).get(TOPIC).topicId();
    await(admin.deleteTopics(Set.of(TOPIC)).all());
    Await.until(
        "the topic is there again",
        () -> {
          var topics = await(admin.listTopics().listings());
          return topics.stream()
              .anyMatch(found -> found.name().equals(TOPIC) && !found.topicId().equals(id));
        });
  }

  /** Sets what the group has committed to the first or the last offsets. Nobody may be in it. */
  void resetOffsets(boolean toEnd) {
    try (var consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer);
      Map<TopicPartition, Long> offsets =
          toEnd ? consumer.endOffsets(partitions) : consumer.beginningOffsets(partitions);
      await(
          admin
              .removeMembersFromConsumerGroup(GROUP, new RemoveMembersFromConsumerGroupOptions())
              .all());
      await(
          admin
              .alterConsumerGroupOffsets(
                  GROUP,
                  offsets.entrySet().stream()
                      .collect(
                          Collectors.toMap(
                              Map.Entry::getKey, end -> new OffsetAndMetadata(end.getValue()))))
              .all());
    }
  }

  /** Writes the last records of every partition once more, in any order. */
  int duplicate(int most, Random random) {
    List<ProducerRecord<byte[], byte[]>> again = new ArrayList<>();
    try (var consumer = consumer()) {
      for (TopicPartition partition : partitions(consumer)) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        long begin = consumer.beginningOffsets(List.of(partition)).get(partition);
        consumer.assign(List.of(partition));
        consumer.seek(partition, Math.max(begin, end - most));
        while (consumer.position(partition) < end) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
            again.add(
                new ProducerRecord<>(TOPIC, record.partition(), record.key(), record.value()));
          }
        }
      }
    }
    Collections.shuffle(again, random);
    return send(again);
  }

  /** Writes what is not an event at all, or nearly one. */
  int poison(Lanes lanes, Random random) {
    byte[] noise = new byte[200];
    random.nextBytes(noise);
    List<byte[]> values = new ArrayList<>();
    values.add(null);
    values.add(new byte[0]);
    values.add(noise);
    for (String text :
        List.of(
            "null",
            "[]",
            "{\"epoch\":1}",
            "{\"epoch\":1,\"lane\":0,\"base\":-5}",
            "{\"epoch\":1,\"lane\":0,\"channel\":\"0\",\"seq\":1,\"entityType\":\"post\","
                + "\"entityId\":\"c0\",\"metric\":\"like\",\"idx\":1,\"userId\":1,\"delta\":5000,"
                + "\"ts\":1}")) {
      values.add(text.getBytes(StandardCharsets.UTF_8));
    }
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Lane lane : lanes.all()) {
      values.forEach(value -> records.add(new ProducerRecord<>(TOPIC, lane.number(), null, value)));
    }
    Collections.shuffle(records, random);
    return send(records);
  }

  /** Sends what waits in the outboxes, last first, before the relay does. */
  int sendBackwards(RedisNodes redis, Lanes lanes) {
    EventCodec codec = new EventCodec(lanes, new Vocabulary(Set.of("post"), Schema.CONTENT));
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (Lane lane : lanes.all()) {
      List<Event> events = waiting(redis, lane);
      Collections.reverse(events);
      for (Event event : events) {
        records.add(
            new ProducerRecord<>(
                TOPIC,
                lane.number(),
                EventCodec.key(event).getBytes(StandardCharsets.UTF_8),
                codec.encode(event)));
      }
    }
    return send(records);
  }

  private static List<Event> waiting(RedisNodes redis, Lane lane) {
    byte[] epoch = RedisReplies.await(redis.commands().hget(LaneKeys.lane(lane), bytes("epoch")));
    List<Event> events = new ArrayList<>();
    for (StreamMessage<byte[], byte[]> entry :
        RedisReplies.await(
            redis.commands().xrange(bytes("outbox:" + lane.tag()), Range.unbounded()))) {
      long last = Long.parseLong(entry.getId().substring(0, entry.getId().indexOf('-')));
      Map<String, String> fields =
          entry.getBody().entrySet().stream()
              .collect(
                  Collectors.toMap(
                      field -> LaneKeys.text(field.getKey()),
                      field -> LaneKeys.text(field.getValue())));
      String[] lines = fields.get("events").split("\n");
      for (int i = 0; i < lines.length; i++) {
        String[] words = lines[i].split(" ");
        events.add(
            new Event(
                Long.parseLong(LaneKeys.text(epoch)),
                lane,
                last - lines.length + 1 + i,
                Entity.parse(words[0]),
                Schema.CONTENT.toggle(words[1]).orElseThrow(),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]),
                Long.parseLong(fields.get("ts"))));
      }
    }
    return events;
  }

  private static byte[] bytes(String text) {
    return LaneKeys.bytes(text);
  }

  private int send(List<ProducerRecord<byte[], byte[]>> records) {
    try (var producer =
        new KafkaProducer<>(address, new ByteArraySerializer(), new ByteArraySerializer())) {
      records.stream().map(producer::send).toList().forEach(CounterTopic::await);
    }
    return records.size();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(address, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer) {
    return consumer.partitionsFor(TOPIC).stream()
        .map(found -> new TopicPartition(TOPIC, found.partition()))
        .toList();
  }

  private static <T> T await(Future<T> answer) {
    try {
      return answer.get(WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw new IllegalStateException("Kafka: " + failed, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
