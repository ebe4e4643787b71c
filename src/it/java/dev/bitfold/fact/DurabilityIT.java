package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.testkit.AppendOnlyFile;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What an answer promises when Redis is killed, and when it comes back without its last seconds.
 */
class DurabilityIT {

  private static final String ENTITY = "promise";

  @Test
  void fast_and_redis_is_killed_nothing_is_lost() {
    try (EmbeddedServers servers = Stores.own("durability");
        BitfoldApp app = start(servers, "fast")) {
      likes(app.http(), 1, 100);
      servers.redis().kill();
      servers.redis().start();
      exact(app, LongStream.rangeClosed(1, 100).boxed().toList());
    }
  }

  @Test
  void fast_and_the_host_crashes_what_reached_kafka_comes_back_and_the_rest_is_gone_as_a_whole() {
    try (EmbeddedServers servers = Stores.own("durability");
        BitfoldApp app = start(servers, "fast")) {
      Instant before = moment();
      likes(app.http(), 1, 50);
      app.awaitSettled();
      servers.kafka().kill();
      likes(app.http(), 51, 60);
      crash(servers, before);
      servers.kafka().start();
      exact(app, LongStream.rangeClosed(1, 50).boxed().toList());
    }
  }

  @Test
  void durable_and_the_host_crashes_nothing_that_was_answered_is_lost() {
    try (EmbeddedServers servers = Stores.own("durability");
        BitfoldApp app = start(servers, "durable")) {
      Instant before = moment();
      likes(app.http(), 1, 50);
      crash(servers, before);
      exact(app, LongStream.rangeClosed(1, 50).boxed().toList());
    }
  }

  /** A moment that all which comes later can be told from: the file knows seconds only. */
  private static Instant moment() {
    Instant now = Instant.now();
    Await.until("two seconds later", () -> Instant.now().isAfter(now.plusSeconds(2)));
    return now;
  }

  /** Redis comes back as it was at a moment. */
  private static void crash(EmbeddedServers servers, Instant before) {
    servers.redis().kill();
    new AppendOnlyFile(servers.redis()).cut(before);
    servers.redis().start();
  }

  private static BitfoldApp start(EmbeddedServers servers, String durability) {
    BitfoldApp app =
        BitfoldApp.start(Stores.addresses(servers), Map.of("bitfold.fact.durability", durability));
    app.awaitOpen();
    return app;
  }

  private static void likes(Http http, long first, long last) {
    for (long user = first; user <= last; user++) {
      assertThat(http.act(user, "like", ENTITY).status()).isEqualTo(200);
    }
  }

  /** Just these users like it, the counter says so, and the lane takes toggles again. */
  private static void exact(BitfoldApp app, List<Long> users) {
    long probe = 1_000_000;
    Await.until("toggles again", () -> app.http().act(probe, "like", ENTITY).status() == 200);
    app.awaitSettled();
    List<Long> liking =
        LongStream.rangeClosed(1, 100).filter(user -> liked(app.http(), user)).boxed().toList();
    assertThat(liking).isEqualTo(users);
    assertThat(app.http().likes(ENTITY)).isEqualTo(users.size() + 1);
    assertThat(app.http().exactLikes(ENTITY)).isEqualTo(users.size() + 1);
    Invariant.holds(app.redis(), app.lanes().all());
  }

  private static boolean liked(Http http, long user) {
    return http.get("/api/v1/status/post/" + ENTITY + "?uid=" + user)
        .json()
        .path("liked")
        .asBoolean();
  }
}
