package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Http.Answer;
import dev.bitfold.testkit.Stores;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A durable toggle is answered when Kafka has it. */
class DurableIT extends AppTest {

  private static EmbeddedServers servers;

  @Override
  protected Map<String, Object> stores() {
    servers = Stores.own("durable");
    return Stores.addresses(servers);
  }

  @Override
  protected Map<String, Object> settings() {
    return Map.of("bitfold.fact.durability", "durable", "bitfold.fact.durable-wait", "2s");
  }

  @AfterAll
  static void stopStores() {
    servers.close();
  }

  @Test
  void a_durable_toggle_is_folded_when_it_is_answered() {
    for (int user = 1; user <= 20; user++) {
      assertThat(http.act(user, "like", "durable").status()).isEqualTo(200);
      assertThat(folded()).isGreaterThanOrEqualTo(user);
    }
  }

  /** Numbers folded in all lanes, as Redis has it. */
  private long folded() {
    return app.lanes().all().stream()
        .map(
            lane ->
                RedisReplies.await(
                    app.redis()
                        .commands()
                        .hget(LaneKeys.folded(lane), LaneKeys.bytes(lane.toString()))))
        .mapToLong(digits -> digits == null ? 0 : Long.parseLong(LaneKeys.text(digits)))
        .sum();
  }

  @Test
  void without_kafka_neither_a_change_nor_its_repetition_is_answered_as_done() {
    servers.kafka().stop();
    Answer first = http.act(1, "like", "not-durable");
    Answer again = http.act(1, "like", "not-durable");
    servers.kafka().start();
    assertThat(first.code()).isEqualTo("not_durable");
    assertThat(again.code()).isEqualTo("not_durable");
    assertThat(first.response().headers().firstValue("Retry-After")).isPresent();
    app.awaitSettled();
    assertThat(http.act(1, "like", "not-durable").text())
        .isEqualTo("{\"changed\":false,\"liked\":true}");
  }
}
