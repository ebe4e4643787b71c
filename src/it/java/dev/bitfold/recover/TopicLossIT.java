package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.RedisCopy;
import dev.bitfold.testkit.Stores;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaAdmin;

/** The topic is deleted and created again, and then Redis loses something too. */
class TopicLossIT {

  private static final Map<String, Object> LOOKS_OFTEN =
      Map.of("bitfold.topics.look-every", "500ms", "bitfold.recover.blocked-every", "1s");

  @Test
  void what_redis_has_stays_and_what_nobody_has_is_not_passed_over_in_silence() throws Exception {
    try (EmbeddedServers servers = Stores.own("topic-loss")) {
      try (BitfoldApp app = BitfoldApp.start(Stores.addresses(servers), LOOKS_OFTEN)) {
        app.awaitOpen();
        like(app.http(), 1, 10);
        app.awaitSettled();
        recreateTopic(app);
        like(app.http(), 11, 15);
        app.awaitSettled();
        assertThat(app.http().likes("topic")).isEqualTo(15);

        servers.redis().kill();
        servers.redis().start();
        like(app.http(), 16, 16);
        app.awaitSettled();
        assertThat(app.http().likes("topic")).isEqualTo(16);
        Invariant.holds(app.redis(), app.lanes().all());

        RedisReplies.await(app.redis().commands().flushall());
        awaitBlocked(app);
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

  @Test
  void a_lane_without_events_since_then_is_not_opened_with_less_than_it_had() throws Exception {
    try (EmbeddedServers servers = Stores.own("topic-loss-quiet");
        BitfoldApp app = BitfoldApp.start(Stores.addresses(servers), LOOKS_OFTEN)) {
      app.awaitOpen();
      like(app.http(), 1, 5);
      app.awaitSettled();
      RedisCopy older = RedisCopy.of(servers.redis());
      awaitOpenIn(app, servers.redis().runId());
      like(app.http(), 6, 10);
      app.awaitSettled();
      recreateTopic(app);
      RedisCopy newest = RedisCopy.of(servers.redis());
      awaitOpenIn(app, servers.redis().runId());
      like(app.http(), 10, 10); // again: no event, but the lane is open

      RedisReplies.await(app.redis().commands().flushall());
      awaitBlocked(app);

      older.restore(servers.redis());
      awaitClaimed(app, servers.redis().runId());
      awaitBlocked(app);
      assertThat(app.http().act(11, "like", "topic").code()).isEqualTo("lane_closed");
      assertThat(app.http().likes("topic")).isEqualTo(5);

      newest.restore(servers.redis());
      app.awaitOpen();
      assertThat(app.http().likes("topic")).isEqualTo(10);
      like(app.http(), 11, 11);
      app.awaitSettled();
      assertThat(app.http().likes("topic")).isEqualTo(11).isEqualTo(app.http().exactLikes("topic"));
      Invariant.holds(app.redis(), app.lanes().all());
    }
  }

  @Test
  void a_topic_and_a_redis_that_are_emptied_at_once_are_noticed() throws Exception {
    try (EmbeddedServers servers = Stores.own("topic-loss-both");
        BitfoldApp app =
            BitfoldApp.start(
                Stores.addresses(servers), Map.of("bitfold.topics.look-every", "1h"))) {
      app.awaitOpen();
      like(app.http(), 1, 3);
      app.awaitSettled();
      makeTopicAnew(app);
      RedisReplies.await(app.redis().commands().flushall());
      awaitBlocked(app);
      assertThat(app.http().act(4, "like", "topic").code()).isEqualTo("lane_closed");
    }
  }

  private static Lane lane(BitfoldApp app) {
    return app.lanes().of(new Entity("post", "topic"));
  }

  private static void awaitBlocked(BitfoldApp app) {
    OwnedLanes owned = app.bean(OwnedLanes.class);
    Await.until(
        "the lane blocked",
        () ->
            owned.status(lane(app)).filter(is -> is.state() == LaneState.BLOCKED).isPresent()
                && app.management().get("/actuator/health").text().contains("\"OUT_OF_SERVICE\""));
  }

  /** Waits until all lanes are open in this life of Redis, also those that nobody uses. */
  private static void awaitOpenIn(BitfoldApp app, String runId) {
    Await.until(
        "all lanes open in this life",
        () -> {
          try {
            return app.lanes().all().stream()
                .allMatch(lane -> field(app, lane, "open").equals(runId));
          } catch (RedisUnavailableException notYet) {
            return false;
          }
        });
  }

  /** Waits until somebody has tried to open the lane in this life of Redis. */
  private static void awaitClaimed(BitfoldApp app, String runId) {
    Await.until(
        "the lane looked at",
        () -> {
          try {
            return field(app, lane(app), "claim").startsWith(runId);
          } catch (RedisUnavailableException notYet) {
            return false;
          }
        });
  }

  private static String field(BitfoldApp app, Lane lane, String name) {
    byte[] value =
        RedisReplies.await(app.redis().commands().hget(LaneKeys.lane(lane), LaneKeys.bytes(name)));
    return value == null ? "" : LaneKeys.text(value);
  }

  /** Likes one after the other; a lane that is just being opened is tried again. */
  private static void like(Http http, int first, int last) {
    for (int user = first; user <= last; user++) {
      int who = user;
      Await.until("a like", () -> http.act(who, "like", "topic").status() == 200);
    }
  }

  /** Makes the topic anew and waits until all lanes are open on it. */
  private static void recreateTopic(BitfoldApp app) throws Exception {
    makeTopicAnew(app);
    String id = app.bean(CounterEvents.class).describe().topicId().toString();
    Await.until(
        "all lanes open on the new topic",
        () -> app.lanes().all().stream().allMatch(lane -> field(app, lane, "topic").equals(id)));
    app.awaitOpen();
  }

  private static void makeTopicAnew(BitfoldApp app) throws Exception {
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
