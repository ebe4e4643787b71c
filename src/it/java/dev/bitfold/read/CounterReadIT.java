package dev.bitfold.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.RawCounters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What readers see, also when a counter is missing or malformed. */
class CounterReadIT extends AppTest {

  @Override
  protected Map<String, Object> settings() {
    return Map.of("bitfold.rebuild.step-shards", 2, "bitfold.fact.count-shards", 4);
  }

  private void lose(String id) {
    Entity entity = new Entity("post", id);
    new RawCounters(app.redis()).lose(app.lanes().of(entity), entity);
  }

  private void like(String id, long... users) {
    for (long user : users) {
      assertThat(http.act(user, "like", id).json().path("changed").asBoolean()).isTrue();
    }
    app.awaitSettled();
  }

  @Test
  void a_toggle_answers_what_it_did_and_is_counted_once() {
    assertThat(http.act(9, "like", "read-1").text()).isEqualTo("{\"changed\":true,\"liked\":true}");
    assertThat(http.act(9, "like", "read-1").text())
        .isEqualTo("{\"changed\":false,\"liked\":true}");
    assertThat(http.act(9, "fav", "read-1").text()).isEqualTo("{\"changed\":true,\"faved\":true}");
    assertThat(http.act(9, "unfav", "read-1").text())
        .isEqualTo("{\"changed\":true,\"faved\":false}");
    assertThat(http.get("/api/v1/status/post/read-1?uid=9").text())
        .isEqualTo("{\"liked\":true,\"faved\":false}");
    assertThat(http.get("/api/v1/status/post/read-1", "X-User-Id", "9").text())
        .isEqualTo("{\"liked\":true,\"faved\":false}");
    app.awaitSettled();
    assertThat(http.get("/api/v1/counter/post/read-1").text())
        .isEqualTo(
            "{\"entityType\":\"post\",\"entityId\":\"read-1\",\"counts\":{\"like\":1,\"fav\":0}}");
    assertThat(http.get("/api/v1/counter/post/read-1?metrics=like").text())
        .contains("\"counts\":{\"like\":1}");
  }

  @Test
  void a_batch_is_answered_in_the_order_asked() {
    like("order-a", 1, 2);
    like("order-b", 9);
    String body =
        """
        {"entityType":"post","entityIds":["order-b","order-none","order-a","order-b"],"userId":9}
        """;
    assertThat(http.post("/api/v1/counter/batch", body).text())
        .isEqualTo(
            "{\"items\":["
                + "{\"entityId\":\"order-b\",\"counts\":{\"like\":1,\"fav\":0},"
                + "\"liked\":true,\"faved\":false},"
                + "{\"entityId\":\"order-none\",\"counts\":{\"like\":0,\"fav\":0},"
                + "\"liked\":false,\"faved\":false},"
                + "{\"entityId\":\"order-a\",\"counts\":{\"like\":2,\"fav\":0},"
                + "\"liked\":false,\"faved\":false},"
                + "{\"entityId\":\"order-b\",\"counts\":{\"like\":1,\"fav\":0},"
                + "\"liked\":true,\"faved\":false}]}");
    assertThat(
            http.post(
                    "/api/v1/counter/batch",
                    "{\"entityType\":\"post\",\"entityIds\":[\"order-a\"],\"metrics\":[\"like\"]}")
                .text())
        .isEqualTo("{\"items\":[{\"entityId\":\"order-a\",\"counts\":{\"like\":2}}]}");
  }

  @Test
  void a_batch_of_actions_is_applied_in_order() {
    String body =
        """
        {"actions":[
          {"action":"like","entityType":"post","entityId":"acts-1"},
          {"action":"fav","entityType":"comment","entityId":"acts-2"},
          {"action":"like","entityType":"post","entityId":"acts-1"},
          {"action":"unlike","entityType":"post","entityId":"acts-1"}]}
        """;
    assertThat(http.post("/api/v1/action/batch", body, "X-User-Id", "9").text())
        .isEqualTo(
            "{\"results\":[{\"changed\":true,\"liked\":true},{\"changed\":true,\"faved\":true},"
                + "{\"changed\":false,\"liked\":true},{\"changed\":true,\"liked\":false}]}");
    app.awaitSettled();
    assertThat(http.likes("acts-1")).isZero();
    assertThat(http.get("/api/v1/counter/comment/acts-2").json().at("/counts/fav").asLong())
        .isEqualTo(1);
  }

  @Test
  void a_missing_counter_is_rebuilt_by_one_of_many_readers() {
    long[] users = IntStream.range(0, 20).mapToLong(i -> 1 + i * 32768L).toArray();
    like("missing", users);
    double before = app.meter("bitfold.rebuild.counters", "outcome", "rebuilt");
    lose("missing");

    var threads = Executors.newFixedThreadPool(30);
    try {
      List<CompletableFuture<Long>> readers =
          IntStream.range(0, 60)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> http.likes("missing"), threads))
              .toList();
      assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isEqualTo(20));
    } finally {
      threads.shutdownNow();
    }
    assertThat(app.meter("bitfold.rebuild.counters", "outcome", "rebuilt") - before).isEqualTo(1);
  }

  @Test
  void a_malformed_counter_is_rebuilt() {
    like("malformed", 1, 2, 3);
    RawCounters counters = new RawCounters(app.redis());
    Entity entity = new Entity("post", "malformed");
    Lane lane = app.lanes().of(entity);
    for (byte[] wrong : List.of(new byte[0], new byte[19], new byte[21])) {
      counters.put(lane, entity, wrong);
      assertThat(http.likes("malformed")).isEqualTo(3);
    }
    counters.listForPage(lane, entity);
    assertThat(http.likes("malformed")).isEqualTo(3);
  }

  @Test
  void an_entity_without_facts_answers_zero_and_leaves_no_key() {
    http.act(5, "like", "forgotten");
    http.act(5, "unlike", "forgotten");
    app.awaitSettled();
    assertThat(http.likes("forgotten")).isZero();
    assertThat(http.likes("never-seen")).isZero();
    assertThat(http.exactLikes("never-seen")).isZero();
    http.get("/api/v1/status/post/never-seen?uid=5");
    assertThat(RedisReplies.await(app.redis().commands().keys("*forgotten*"))).isEmpty();
    assertThat(RedisReplies.await(app.redis().commands().keys("*never-seen*"))).isEmpty();
  }

  @Test
  void an_exact_read_counts_the_facts_before_they_are_folded() {
    for (int user = 1; user <= 7; user++) {
      http.act(user * 40_000L, "like", "exact");
      assertThat(http.exactLikes("exact")).isEqualTo(user);
    }
  }
}
