package dev.bitfold.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** Records that are not events go to the dead letters with their reason; the partition goes on. */
class DeadLetterIT extends AppTest {

  @Test
  @SuppressWarnings("unchecked")
  void poisoned_records_are_put_aside_and_the_partition_goes_on() throws Exception {
    KafkaTemplate<String, byte[]> kafka = app.bean(KafkaTemplate.class);
    Entity entity = new Entity("post", "poison");
    int lane = app.lanes().of(entity).number();
    String good =
        "{\"epoch\":1,\"lane\":%d,\"channel\":\"%d\",\"seq\":1,\"entityType\":\"post\","
            + "\"entityId\":\"poison\",\"metric\":\"like\",\"idx\":1,\"userId\":9,\"delta\":1,"
            + "\"ts\":1}";
    String event = good.formatted(lane, lane);
    Map<String, String> poison =
        Map.of(
            "not json",
            "not JSON",
            "[]",
            "not a JSON object",
            event.replace("\"lane\":" + lane, "\"lane\":999"),
            "lane is not the partition",
            event.replace("\"like\"", "\"hug\""),
            "metric is not one that has facts",
            event.replace("\"idx\":1", "\"idx\":2"),
            "idx is not the field",
            event.replace("\"delta\":1", "\"delta\":2"),
            "delta is neither",
            event.replace("\"userId\":9", "\"userId\":0"),
            "userId must be",
            event.replace("\"poison\"", "\"a b\""),
            "entityId must match",
            event.replace("\"ts\":1", "\"ts\":1,\"x\":1"),
            "unknown property x",
            event.replace("\"seq\":1", "\"seq\":0"),
            "seq is not between 1 and 9007199254740992");
    double dead = app.meter("bitfold.bucket.dead.letters");
    http.act(1, "like", "poison");
    for (String value : poison.keySet()) {
      kafka.send("counter-events", lane, "k", value.getBytes(StandardCharsets.UTF_8)).get();
    }
    kafka.send("counter-events", lane, "k", null).get();
    kafka.send("counter-events", lane, "k", new byte[900_000]).get();
    http.act(2, "like", "poison");

    Await.until(
        "all dead letters",
        () -> app.meter("bitfold.bucket.dead.letters") == dead + poison.size() + 2);
    app.awaitSettled();
    assertThat(http.likes("poison")).isEqualTo(2);
    Map<String, String> reasons = letters();
    poison.forEach(
        (value, reason) ->
            assertThat(reasons)
                .hasEntrySatisfying(value, said -> assertThat(said).contains(reason)));
    assertThat(reasons).containsEntry("null", "no value");
    assertThat(reasons.keySet()).anyMatch(value -> value.length() == 256 * 1024);
  }

  @SuppressWarnings("unchecked")
  private Map<String, String> letters() {
    ConsumerFactory<byte[], byte[]> consumers = app.bean(ConsumerFactory.class);
    TopicPartition partition = new TopicPartition("counter-events.dead", 0);
    Map<String, String> reasons = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumers.createConsumer(null, "", "test")) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> letter : consumer.poll(Duration.ofSeconds(1))) {
          reasons.put(
              letter.value() == null ? "null" : new String(letter.value(), StandardCharsets.UTF_8),
              new String(letter.headers().lastHeader("reason").value(), StandardCharsets.UTF_8));
          assertThat(letter.headers().lastHeader("offset")).isNotNull();
        }
      }
    }
    return reasons;
  }
}
