package dev.bitfold.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Http.Answer;
import dev.bitfold.testkit.RawCounters;
import dev.bitfold.testkit.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import tools.jackson.databind.JsonNode;

/** Lines of the audit on their way to PostgreSQL, moved by hand, and how they are read. */
class AuditIT extends AppTest {

  private static EmbeddedServers servers;

  @Override
  protected Map<String, Object> stores() {
    if (servers == null) {
      servers = Stores.own("audit");
    }
    return Stores.addresses(servers);
  }

  @Override
  protected Map<String, Object> settings() {
    return Map.of("bitfold.reconcile.every", "1h", "bitfold.reconcile.audit-every", "1h");
  }

  @Override
  protected boolean makesCountersWrong() {
    return true;
  }

  @AfterAll
  static void stopStores() {
    servers.close();
  }

  @Test
  void a_line_becomes_a_row_once_and_is_deleted() {
    Lane lane = correct("once");
    AuditRound round = app.bean(AuditRound.class);
    double drift = app.meter("bitfold.reconcile.audits", "cause", "drift");
    assertThat(round.run(lane)).isEqualTo(new AuditResult(1, 0, 0));
    assertThat(round.run(lane)).isEqualTo(new AuditResult(0, 0, 0));
    assertThat(app.meter("bitfold.reconcile.audits", "cause", "drift") - drift).isEqualTo(1);
    assertThat(items("entityType=post&entityId=once")).hasSize(1);
  }

  @Test
  void a_crash_after_the_row_and_before_the_deletion_leaves_one_row() {
    Lane lane = correct("crash");
    AuditLines lines = app.bean(AuditLines.class);
    Audits audits = app.bean(Audits.class);
    double drift = app.meter("bitfold.reconcile.audits", "cause", "drift");
    for (AuditLine line : lines.oldest(lane, 10).lines()) {
      assertThat(audits.add(lane, line)).isTrue();
    }
    assertThat(app.bean(AuditRound.class).run(lane)).isEqualTo(new AuditResult(0, 1, 0));
    assertThat(app.meter("bitfold.reconcile.audits", "cause", "drift")).isEqualTo(drift);
    assertThat(items("entityType=post&entityId=crash")).hasSize(1);
    assertThat(lines.oldest(lane, 10).entries()).isEmpty();
  }

  @Test
  void a_line_outlives_the_instance_that_corrected() {
    Lane lane = correct("outlives");
    try (BitfoldApp other = BitfoldApp.start(stores(), settings())) {
      assertThat(other.bean(AuditRound.class).run(lane)).isEqualTo(new AuditResult(1, 0, 0));
      assertThat(app.bean(AuditRound.class).run(lane)).isEqualTo(new AuditResult(0, 0, 0));
    }
    assertThat(items("entityType=post&entityId=outlives")).hasSize(1);
    app.awaitOpen();
  }

  @Test
  void without_postgresql_lines_wait() {
    Lane lane = correct("waits");
    AuditRound round = app.bean(AuditRound.class);
    servers.postgres().stop();
    try {
      assertThatThrownBy(() -> round.run(lane)).isInstanceOf(DataAccessException.class);
      app.bean(AuditScheduler.class).move();
      Answer answer = http.get("/api/v1/admin/audit");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("sql_unavailable");
      assertThat(http.likes("waits")).isEqualTo(2);
    } finally {
      servers.postgres().start();
    }
    Await.until("PostgreSQL is back", () -> http.get("/api/v1/admin/audit").status() == 200);
    assertThat(round.run(lane)).isEqualTo(new AuditResult(1, 0, 0));
    assertThat(items("entityType=post&entityId=waits")).hasSize(1);
  }

  @Test
  void a_line_that_nobody_of_ours_wrote_is_put_aside() {
    Lane lane = correct("beside-nonsense");
    RedisReplies.await(
        app.redis()
            .commands()
            .xadd(
                LaneKeys.audit(lane), Map.of(LaneKeys.bytes("cause"), LaneKeys.bytes("nonsense"))));
    assertThat(app.bean(AuditRound.class).run(lane)).isEqualTo(new AuditResult(1, 0, 1));
    assertThat(app.bean(AuditLines.class).oldest(lane, 10).entries()).isEmpty();
    RedisReplies.await(app.redis().commands().del(LaneKeys.audit(lane)));
  }

  @Test
  void the_audit_is_read_in_pages_newest_first() {
    List<Lane> lanes =
        IntStream.range(0, 5).mapToObj(i -> correct("comment", "page-" + i)).toList();
    lanes.forEach(lane -> app.bean(AuditRound.class).run(lane));
    List<Long> all = ids(items("entityType=comment&limit=200"));
    assertThat(all).hasSize(5).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    List<Long> paged = new ArrayList<>();
    String next = "";
    for (int pages = 0; pages < 3; pages++) {
      JsonNode page = http.get("/api/v1/admin/audit?entityType=comment&limit=2" + next).json();
      paged.addAll(ids(page.path("items")));
      assertThat(page.path("next").isNull()).isEqualTo(pages == 2);
      next = "&before=" + page.path("next").asString("");
    }
    assertThat(paged).isEqualTo(all);
    JsonNode whole = http.get("/api/v1/admin/audit?entityType=comment&limit=5").json();
    assertThat(whole.path("items")).hasSize(5);
    assertThat(whole.path("next").isNull()).isTrue();
    assertThat(items("entityType=comment&entityId=page-3")).hasSize(1);
    assertThat(items("entityType=post&entityId=page-3")).isEmpty();
    assertThat(ids(items("limit=200"))).containsAll(all);
  }

  private Lane correct(String id) {
    return correct("post", id);
  }

  /** Makes a counter wrong and has it rebuilt: its lane has a line now. */
  private Lane correct(String type, String id) {
    for (String user : List.of("1", "2")) {
      http.post(
          "/api/v1/action/like",
          "{\"entityType\":\"" + type + "\",\"entityId\":\"" + id + "\"}",
          "X-User-Id",
          user);
    }
    app.awaitSettled();
    Entity entity = new Entity(type, id);
    Lane lane = app.lanes().of(entity);
    byte[] counter = new byte[Schema.CONTENT.counterBytes()];
    counter[2 * Schema.FIELD_BYTES - 1] = 77;
    new RawCounters(app.redis()).put(lane, entity, counter);
    assertThat(http.post("/api/v1/admin/rebuild/" + type + "/" + id, "").text())
        .isEqualTo("{\"before\":{\"like\":77,\"fav\":0},\"after\":{\"like\":2,\"fav\":0}}");
    return lane;
  }

  private JsonNode items(String query) {
    return http.get("/api/v1/admin/audit?" + query).json().path("items");
  }

  private static List<Long> ids(JsonNode items) {
    List<Long> ids = new ArrayList<>();
    items.forEach(item -> ids.add(item.path("id").asLong()));
    return ids;
  }
}
