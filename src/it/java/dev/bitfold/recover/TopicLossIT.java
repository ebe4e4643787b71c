package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.Stores;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaAdmin;

/** The topic is deleted and created again, and then Redis loses everything too. */
class TopicLossIT {

  @Test
  void what_redis_has_stays_and_what_nobody_has_is_not_passed_over_in_silence() throws Exception {
    try (EmbeddedServers servers = Stores.own("topic-loss")) {
      try (BitfoldApp app = BitfoldApp.start(Stores.addresses(servers))) {
        app.awaitOpen();
        like(app.http(), 1, 10);
        app.awaitSettled();
        recreateTopic(app);
        like(app.http(), 11, 15);
        app.awaitSettled();
        assertThat(app.http().likes("topic")).isEqualTo(15);

        servers.redis().kill();
        servers.redis().start();
        Await.until("toggles again", () -> app.http().act(16, "like", "topic").status() == 200);
        app.awaitSettled();
        assertThat(app.http().likes("topic")).isEqualTo(16);
        Invariant.holds(app.redis(), app.lanes().all());

        RedisReplies.await(app.redis().commands().flushall());
        Await.until(
            "the lane blocked",
            () -> app.management().get("/actuator/health").text().contains("\"OUT_OF_SERVICE\""));
        assertThat(app.http().act(17, "like", "topic").code()).isEqualTo("lane_closed");
        assertThat(app.http().get("/api/v1/counter/post/topic").code()).isEqualTo("lane_closed");
        assertThat(app.http().get("/api/v1/status/post/topic?uid=1").code())
            .isEqualTo("lane_closed");
      }
      try (BitfoldApp app =
          BitfoldApp.start(
              Stores.addresses(servers), Map.of("bitfold.recover.accept-loss", true))) {
        app.awaitOpen();
        app.awaitSettled();
        long left = app.http().likes("topic");
        assertThat(left).isBetween(1L, 6L).isEqualTo(app.http().exactLikes("topic"));
        Invariant.holds(app.redis(), app.lanes().all());
      }
    }
  }

  private static void like(Http http, int first, int last) {
    for (int user = first; user <= last; user++) {
      assertThat(http.act(user, "like", "topic").status()).isEqualTo(200);
    }
  }

  private static void recreateTopic(BitfoldApp app) throws Exception {
    KafkaAdmin admin = app.bean(KafkaAdmin.class);
    try (Admin client = Admin.create(admin.getConfigurationProperties())) {
      client.deleteTopics(List.of("counter-events")).all().get();
      Await.until(
          "the topic gone", () -> !client.listTopics().names().get().contains("counter-events"));
    }
    Await.until(
        "the topic created again",
        () -> {
          admin.initialize();
          try {
            return app.bean(CounterEvents.class).describe().partitions().size() > 0;
          } catch (KafkaUnavailableException notYet) {
            return false;
          }
        });
  }
}
