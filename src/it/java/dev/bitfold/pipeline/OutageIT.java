package dev.bitfold.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http.Answer;
import dev.bitfold.testkit.RawCounters;
import dev.bitfold.testkit.RedisCopy;
import dev.bitfold.testkit.Signals;
import dev.bitfold.testkit.Stores;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Kafka, Redis or what they hold goes away while the service runs, and comes back. */
class OutageIT extends AppTest {

  private static final int OUTBOX_LIMIT = 500;

  private static EmbeddedServers servers;

  @Override
  protected Map<String, Object> stores() {
    if (servers == null) {
      servers = Stores.own("outage");
    }
    return Stores.addresses(servers);
  }

  @Override
  protected Map<String, Object> settings() {
    return Map.of("bitfold.fact.outbox-limit", OUTBOX_LIMIT, "bitfold.web.max-calls", 40);
  }

  @AfterAll
  static void stopStores() {
    servers.close();
  }

  private static void is503(Answer answer, String code) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  void while_kafka_is_down_toggles_go_on_until_the_outbox_is_full() {
    servers.kafka().stop();
    for (int user = 1; user <= OUTBOX_LIMIT; user++) {
      Answer answer = http.act(user, "like", "kafka-down");
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }
    is503(http.act(OUTBOX_LIMIT + 1, "like", "kafka-down"), "outbox_full");
    assertThat(http.exactLikes("kafka-down")).isEqualTo(OUTBOX_LIMIT);

    servers.kafka().start();
    app.awaitSettled();
    assertThat(http.likes("kafka-down")).isEqualTo(OUTBOX_LIMIT);
    assertThat(http.act(OUTBOX_LIMIT + 1, "like", "kafka-down").status()).isEqualTo(200);
  }

  @Test
  void while_redis_is_down_calls_get_503_and_the_service_stays_alive() {
    http.act(1, "like", "redis-down");
    app.awaitSettled();
    servers.redis().stop();
    is503(http.act(2, "like", "redis-down"), "redis_unavailable");
    is503(http.get("/api/v1/counter/post/redis-down"), "redis_unavailable");
    is503(http.get("/api/v1/status/post/redis-down?uid=1"), "redis_unavailable");
    assertThat(app.management().get("/actuator/health/liveness").status()).isEqualTo(200);
    assertThat(app.management().get("/actuator/health/readiness").status()).isEqualTo(503);

    servers.redis().start();
    awaitToggle(2, "redis-down");
    app.awaitSettled();
    assertThat(http.likes("redis-down")).isEqualTo(2);
    assertThat(app.management().get("/actuator/health/readiness").status()).isEqualTo(200);
  }

  @Test
  void a_redis_that_does_not_answer_piles_up_no_threads() {
    Signals.stop(servers.redis().pid());
    var threads = Executors.newFixedThreadPool(200);
    try {
      List<CompletableFuture<Answer>> calls =
          IntStream.range(0, 400)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> http.act(1 + i, "like", "redis-stopped"), threads))
              .toList();
      List<String> codes =
          calls.stream()
              .map(CompletableFuture::join)
              .peek(answer -> assertThat(answer.status()).isEqualTo(503))
              .map(Answer::code)
              .distinct()
              .toList();
      assertThat(codes).contains("too_busy", "redis_unavailable");
      assertThat(app.management().get("/actuator/health/liveness").status()).isEqualTo(200);
    } finally {
      threads.shutdownNow();
      Signals.go(servers.redis().pid());
    }
    awaitToggle(1, "redis-stopped");
  }

  @Test
  void an_older_redis_comes_back_with_everything_that_reached_kafka() {
    like("older", 1, 10);
    app.awaitSettled();
    RedisCopy copy = RedisCopy.of(servers.redis());
    awaitToggle(11, "older");
    like("older", 12, 20);
    http.act(3, "unlike", "older");
    app.awaitSettled();
    double reapplied = app.meter("bitfold.recover.events");

    copy.restore(servers.redis());
    awaitToggle(21, "older");
    app.awaitSettled();
    assertThat(app.meter("bitfold.recover.events") - reapplied).isGreaterThanOrEqualTo(11);
    assertThat(http.likes("older")).isEqualTo(20);
    assertThat(http.exactLikes("older")).isEqualTo(20);
    assertThat(http.get("/api/v1/status/post/older?uid=3").text()).contains("\"liked\":false");
  }

  @Test
  void a_flushed_redis_is_filled_again_from_the_log() {
    like("flushed", 1, 10);
    app.awaitSettled();
    RedisReplies.await(app.redis().commands().flushall());
    awaitToggle(11, "flushed");
    app.awaitSettled();
    assertThat(http.likes("flushed")).isEqualTo(11);
  }

  @Test
  void a_lane_that_is_closed_still_serves_reads() {
    like("closed", 1, 5);
    app.awaitSettled();
    byte[] key = LaneKeys.lane(app.lanes().of(new Entity("post", "closed")));
    servers.kafka().stop();
    try {
      RedisReplies.await(
          app.redis().commands().hset(key, LaneKeys.bytes("open"), LaneKeys.bytes("another")));
      is503(http.act(6, "like", "closed"), "lane_closed");
      assertThat(http.likes("closed")).isEqualTo(5);
      Entity closed = new Entity("post", "closed");
      assertThat(new RawCounters(app.redis()).lose(app.lanes().of(closed), closed)).isTrue();
      assertThat(http.likes("closed")).isEqualTo(5);
    } finally {
      servers.kafka().start();
    }
    awaitToggle(6, "closed");
    app.awaitSettled();
    assertThat(http.likes("closed")).isEqualTo(6);
  }

  private void like(String entityId, int first, int last) {
    for (int user = first; user <= last; user++) {
      assertThat(http.act(user, "like", entityId).status()).isEqualTo(200);
    }
  }

  private void awaitToggle(long user, String entityId) {
    Await.until("toggles again", () -> http.act(user, "like", entityId).status() == 200);
  }
}
