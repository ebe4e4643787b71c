package dev.bitfold.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http.Answer;
import dev.bitfold.testkit.Signals;
import dev.bitfold.testkit.Stores;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Calls that come at the same time share what goes to Redis; each gets its own answer. */
class SharedCallsIT extends AppTest {

  private static final int WAITING = 20;
  private static final int EASE = 20;
  private static final int FEW = 20;
  private static final int METRICS = 2;
  private static final int MANY = 80;

  private static EmbeddedServers servers;

  @Override
  protected Map<String, Object> stores() {
    servers = Stores.own("shared-calls");
    return Stores.addresses(servers);
  }

  @Override
  protected Map<String, Object> settings() {
    return Map.of(
        "bitfold.fact.waiting-facts", WAITING,
        "bitfold.counter.waiting-reads", WAITING,
        "bitfold.fact.outbox-ease", EASE);
  }

  @AfterAll
  static void stopStores() {
    servers.close();
  }

  @Test
  void each_call_is_told_what_its_own_toggle_did() {
    int users = 200;
    double calls = app.meter("bitfold.fact.calls");
    List<Answer> answers =
        atOnce(FEW, 4 * users, call -> http.act(1 + call % users, "like", "hot"));
    assertThat(answers)
        .filteredOn(answer -> answer.text().contains("\"changed\":true"))
        .hasSize(users);
    assertThat(answers).allSatisfy(answer -> assertThat(answer.text()).contains("\"liked\":true"));
    assertThat(app.meter("bitfold.fact.calls") - calls).isLessThan(4 * users);
    app.awaitSettled();
    assertThat(http.likes("hot")).isEqualTo(users);
  }

  @Test
  void each_read_is_given_its_own_counter() {
    for (int entity = 1; entity <= 20; entity++) {
      for (int user = 1; user <= entity; user++) {
        http.act(user, "like", "own-" + entity);
      }
    }
    app.awaitSettled();
    List<Long> likes = atOnce(FEW, 400, call -> http.likes("own-" + (1 + call % 20)));
    for (int call = 0; call < likes.size(); call++) {
      assertThat(likes.get(call)).isEqualTo(1 + call % 20);
    }
  }

  @Test
  void each_call_is_told_its_own_facts() {
    for (int user = 1; user <= 20; user += 2) {
      http.act(user, "like", "told");
    }
    List<String> answers =
        atOnce(
            FEW / METRICS,
            400,
            call -> http.get("/api/v1/status/post/told?uid=" + (1 + call % 20)).text());
    for (int call = 0; call < answers.size(); call++) {
      assertThat(answers.get(call)).contains("\"liked\":" + (call % 2 == 0));
    }
  }

  @Test
  void what_would_wait_too_long_for_redis_is_refused_at_once() {
    assertThat(http.act(1, "like", "waits").status()).isEqualTo(200);
    app.awaitSettled();
    assertThat(http.likes("waits")).isEqualTo(1); // from here on it is known where the counter lies
    Signals.stop(servers.redis().pid());
    try {
      assertThat(codes(call -> http.act(2 + call, "like", "waits")))
          .containsOnly("too_busy", "redis_unavailable");
      assertThat(codes(call -> http.get("/api/v1/counter/post/waits")))
          .containsOnly("too_busy", "redis_unavailable");
      assertThat(codes(call -> http.get("/api/v1/status/post/waits?uid=1")))
          .containsOnly("too_busy", "redis_unavailable");
    } finally {
      Signals.go(servers.redis().pid());
    }
    Await.until("toggles", () -> http.act(1, "fav", "waits").status() == 200);
  }

  @Test
  void a_lane_is_answered_later_while_its_fold_lags() {
    Signals.stop(servers.kafka().pid());
    try {
      double held = app.meter("bitfold.fact.held");
      for (int user = 1; user <= EASE; user++) {
        assertThat(http.act(user, "like", "lags").status()).isEqualTo(200);
      }
      assertThat(app.meter("bitfold.fact.held")).isEqualTo(held);
      assertThat(http.act(EASE + 1, "like", "lags").status()).isEqualTo(200);
      assertThat(app.meter("bitfold.fact.held")).isEqualTo(held + 1);
    } finally {
      Signals.go(servers.kafka().pid());
    }
  }

  private List<String> codes(IntFunction<Answer> call) {
    return atOnce(MANY, MANY, call).stream().map(Answer::code).distinct().toList();
  }

  private static <T> List<T> atOnce(int threads, int calls, IntFunction<T> call) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      return IntStream.range(0, calls)
          .mapToObj(i -> CompletableFuture.supplyAsync(() -> call.apply(i), pool))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    } finally {
      pool.shutdown();
    }
  }
}
