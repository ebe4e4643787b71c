package dev.bitfold.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Schema;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http.Answer;
import dev.bitfold.testkit.RawCounters;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rebuilds by operators: of one entity, and of all of a type. */
class RebuildIT extends AppTest {

  /** Reconcile would put counters right before the rebuild does. */
  @Override
  protected Map<String, Object> settings() {
    return Map.of("bitfold.reconcile.every", "1h");
  }

  @Override
  protected boolean makesCountersWrong() {
    return true;
  }

  @Test
  void a_wrong_counter_is_put_right_and_both_values_are_told() {
    http.act(1, "like", "wrong");
    http.act(2, "like", "wrong");
    app.awaitSettled();
    write("post", "wrong", 77);
    assertThat(http.post("/api/v1/admin/rebuild/post/wrong", "").text())
        .isEqualTo("{\"before\":{\"like\":77,\"fav\":0},\"after\":{\"like\":2,\"fav\":0}}");
    assertThat(http.likes("wrong")).isEqualTo(2);
  }

  @Test
  void rebuilds_under_traffic_keep_the_count() {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> rebuilder =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                http.post("/api/v1/admin/rebuild/post/hot", "");
              }
            });
    for (int user = 1; user <= 300; user++) {
      http.act(user, "like", "hot");
      if (user % 3 == 0) {
        http.act(user, "unlike", "hot");
      }
    }
    over.set(true);
    rebuilder.join();
    app.awaitSettled();
    assertThat(http.likes("hot")).isEqualTo(200);
  }

  @Test
  void all_counters_of_a_type_are_rebuilt_by_a_job_that_shows_its_progress() {
    for (int i = 0; i < 30; i++) {
      http.post(
          "/api/v1/action/like",
          "{\"entityType\":\"comment\",\"entityId\":\"job-" + i + "\"}",
          "X-User-Id",
          "5");
    }
    app.awaitSettled();
    for (int i = 0; i < 30; i++) {
      if (i % 2 == 0) {
        write("comment", "job-" + i, 99);
      } else {
        Entity job = new Entity("comment", "job-" + i);
        counters().lose(app.lanes().of(job), job);
      }
    }
    write("comment", "job-no-facts", 3);

    Answer started = http.post("/api/v1/admin/rebuild", "{\"entityType\":\"comment\"}");
    assertThat(started.status()).isEqualTo(202);
    String job = started.response().headers().firstValue("Location").orElseThrow();
    assertThat(job).matches("/api/v1/admin/jobs/[0-9a-f-]{36}");
    Await.until("job done", () -> http.get(job).json().path("state").asString("").equals("DONE"));

    Answer done = http.get(job);
    assertThat(done.json().path("done").asLong()).isGreaterThanOrEqualTo(31);
    assertThat(done.json().path("total").asLong()).isGreaterThanOrEqualTo(31);
    assertThat(done.json().path("rate").asDouble()).isPositive();
    for (int i = 0; i < 30; i++) {
      assertThat(http.get("/api/v1/counter/comment/job-" + i).json().at("/counts/like").asLong())
          .isEqualTo(1);
    }
    Entity none = new Entity("comment", "job-no-facts");
    assertThat(counters().get(app.lanes().of(none), none)).isNull();
  }

  private RawCounters counters() {
    return new RawCounters(app.redis());
  }

  /** Writes a counter that says so many likes. */
  private void write(String type, String id, int likes) {
    byte[] counter = new byte[Schema.CONTENT.counterBytes()];
    counter[7] = (byte) likes;
    Entity entity = new Entity(type, id);
    counters().put(app.lanes().of(entity), entity, counter);
  }
}
