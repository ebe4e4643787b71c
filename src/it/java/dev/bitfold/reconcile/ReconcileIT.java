package dev.bitfold.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.RawCounters;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Counters that are wrong are found and corrected by themselves, and the audit tells. */
class ReconcileIT extends AppTest {

  @Override
  protected Map<String, Object> settings() {
    return Map.of(
        "bitfold.reconcile.every",
        "50ms",
        "bitfold.rebuild.step-shards",
        2,
        "bitfold.shard-ids",
        1);
  }

  @Override
  protected boolean makesCountersWrong() {
    return true;
  }

  @Test
  void a_flipped_bit_is_corrected_and_told() {
    like("flipped-bit", 1, 3);
    double corrected = app.meter("bitfold.reconcile.entities", "outcome", "corrected");
    double drift = app.meter("bitfold.reconcile.audits", "cause", "drift");
    Instant before = Instant.now();
    byte[] counter = counter("flipped-bit");
    counter[2 * Schema.FIELD_BYTES - 1] ^= 64;
    write("flipped-bit", counter);

    JsonNode line = awaitAudit("flipped-bit").get(0);
    assertThat(http.likes("flipped-bit")).isEqualTo(3);
    assertThat(line.path("before").toString()).isEqualTo("{\"like\":67,\"fav\":0}");
    assertThat(line.path("after").toString()).isEqualTo("{\"like\":3,\"fav\":0}");
    assertThat(line.path("cause").asString("")).isEqualTo("drift");
    assertThat(line.path("entityType").asString("")).isEqualTo("post");
    assertThat(line.path("lane").asInt()).isEqualTo(lane("flipped-bit").number());
    assertThat(line.path("epoch").asLong()).isPositive();
    assertThat(line.path("seq").asLong()).isGreaterThanOrEqualTo(3);
    assertThat(Instant.parse(line.path("at").asString("")))
        .isBetween(before.minusMillis(1), Instant.now());
    Await.until(
        "metered",
        () ->
            app.meter("bitfold.reconcile.entities", "outcome", "corrected") == corrected + 1
                && app.meter("bitfold.reconcile.audits", "cause", "drift") == drift + 1);
    awaitPasses(2);
    assertThat(audit("flipped-bit")).hasSize(1);
  }

  @Test
  void a_flipped_fact_is_the_truth_and_the_counter_follows() {
    like("flipped-fact", 1, 2);
    byte[] shard = key("ids", "fav:post:flipped-fact");
    RedisReplies.await(app.redis().commands().sadd(shard, LaneKeys.bytes("9")));
    assertThat(awaitAudit("flipped-fact").get(0).path("after").toString())
        .isEqualTo("{\"like\":2,\"fav\":1}");
  }

  @Test
  void a_lost_bucket_is_made_good() {
    like("lost-bucket", 1, 2);
    int user = 2;
    boolean lost = false;
    while (!lost) {
      http.act(++user, "like", "lost-bucket");
      while (!lost && !app.settled()) { // until the flush was quicker
        lost =
            RedisReplies.await(app.redis().commands().del(key("agg", "v1:post:lost-bucket"))) > 0;
      }
    }
    JsonNode line = awaitAudit("lost-bucket").get(0);
    assertThat(line.path("before").path("like").asInt()).isEqualTo(user - 1);
    assertThat(line.path("after").path("like").asInt()).isEqualTo(user);
    assertThat(http.likes("lost-bucket")).isEqualTo(user);
  }

  @Test
  void a_counter_that_cannot_be_read_is_corrected_and_told() {
    like("unreadable", 1, 2);
    write("unreadable", new byte[] {1, 2, 3});
    JsonNode line = awaitAudit("unreadable").get(0);
    assertThat(line.path("cause").asString("")).isEqualTo("malformed");
    assertThat(line.path("before").isNull()).isTrue();
    assertThat(line.path("after").toString()).isEqualTo("{\"like\":2,\"fav\":0}");
  }

  @Test
  void a_large_entity_is_compared_in_steps() {
    for (long shard = 0; shard < 6; shard++) {
      http.act(1 + shard * 32_768, "like", "large");
    }
    app.awaitSettled();
    byte[] counter = counter("large");
    counter[2 * Schema.FIELD_BYTES - 1] = 9;
    write("large", counter);
    assertThat(awaitAudit("large").get(0).path("after").toString())
        .isEqualTo("{\"like\":6,\"fav\":0}");
    awaitPasses(2);
    assertThat(audit("large")).hasSize(1);
  }

  @Test
  void a_counter_of_a_type_that_is_no_longer_configured_is_corrected_too() {
    Entity page = new Entity("page", "gone");
    Lane lane = app.lanes().of(page);
    RawCounters counters = new RawCounters(app.redis());
    byte[] counter = new byte[Schema.CONTENT.counterBytes()];
    counter[2 * Schema.FIELD_BYTES - 1] = 5;
    counters.put(lane, page, counter);
    Await.until("gone", () -> counters.get(lane, page) == null);
    Await.until(
        "told", () -> http.get("/api/v1/admin/audit").text().contains("\"entityId\":\"gone\""));
  }

  @Test
  void a_name_that_is_none_of_ours_and_a_page_that_cannot_be_read_are_passed_by() {
    byte[] page = LaneKeys.counters(new Lane(0), Schema.CONTENT, 0);
    byte[] name = LaneKeys.bytes("not an entity:x:y");
    RedisReplies.await(app.redis().commands().hset(page, name, new byte[20]));
    awaitPasses(2);
    assertThat(RedisReplies.await(app.redis().commands().hdel(page, name))).isEqualTo(1);
    new RawCounters(app.redis()).listForPage(lane("unread"), new Entity("post", "unread"));
    awaitPasses(2);
    like("unread", 1, 1);
    assertThat(http.likes("unread")).isEqualTo(1);
  }

  @Test
  void healthy_traffic_leaves_no_line() {
    double passes = app.meter("bitfold.reconcile.passes");
    for (int user = 1; user <= 200; user++) {
      http.act(user, "like", "healthy-" + user % 5);
      if (user % 3 == 0) {
        http.act(user, "unlike", "healthy-" + user % 5);
        http.act(user, "fav", "healthy-" + user % 7);
      }
    }
    awaitPasses(2);
    app.awaitSettled();
    awaitPasses(2);
    assertThat(app.meter("bitfold.reconcile.passes")).isGreaterThan(passes);
    for (int i = 0; i < 7; i++) {
      assertThat(audit("healthy-" + i)).isEmpty();
    }
  }

  private void like(String id, int first, int last) {
    for (int user = first; user <= last; user++) {
      assertThat(http.act(user, "like", id).status()).isEqualTo(200);
    }
    app.awaitSettled();
  }

  /** A pass that is under way now may have passed by already. */
  private void awaitPasses(int more) {
    double now = app.meter("bitfold.reconcile.passes");
    Await.until(
        "passes over all counters", () -> app.meter("bitfold.reconcile.passes") >= now + more);
  }

  private JsonNode awaitAudit(String id) {
    Await.until("a line about " + id, () -> !audit(id).isEmpty());
    return audit(id);
  }

  private JsonNode audit(String id) {
    return http.get("/api/v1/admin/audit?entityType=post&entityId=" + id).json().path("items");
  }

  private byte[] counter(String id) {
    return new RawCounters(app.redis()).get(lane(id), new Entity("post", id));
  }

  private void write(String id, byte[] counter) {
    new RawCounters(app.redis()).put(lane(id), new Entity("post", id), counter);
  }

  private Lane lane(String id) {
    return app.lanes().of(new Entity("post", id));
  }

  /** A key of the post that it names. */
  private byte[] key(String prefix, String rest) {
    String id = rest.replaceAll("^.*post:|:\\d+$", "");
    return LaneKeys.bytes(prefix + ":" + lane(id).tag() + ":" + rest);
  }
}
