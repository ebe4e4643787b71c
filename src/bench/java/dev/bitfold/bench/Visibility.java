package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
import static dev.bitfold.bench.Report.percent;

import dev.bitfold.bench.load.Load;
import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.testkit.Http;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/** From the answer to a toggle until its counter shows it, under load. */
final class Visibility implements Section {

  private static final int RATE = 5_000;
  private static final double REACHED = 0.99;
  private static final int TIMES = 5;
  private static final int PROBE_USER = 2;
  private static final int PROBES = 200;
  private static final long PROBE_EVERY_NANOS = 97_000_000; // no divisor of a second
  private static final long LOOK_EVERY_NANOS = 10_000_000;
  private static final long LONGEST_NANOS = 20_000_000_000L;
  private static final double MEDIAN = 0.7;
  private static final double P99 = 1.5;

  @Override
  public String name() {
    return "visible";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("From answer to visible");
    List<String> posts = new ArrayList<>();
    for (int i = 0; i < PROBES; i++) {
      posts.add("probe-" + i);
    }
    new Population(bench.deployment()).likes(posts);
    Histogram lag = new Histogram(LONGEST_NANOS / 1000, 3);
    Load load;
    try (LoadGenerator generator = bench.load(bench.form().openConnections())) {
      var toggles = bench.calls(5).toggles(Bench.ACT, bench.entities());
      generator.open(toggles, RATE, bench.form().time(1));
      CompletableFuture<Load> running =
          CompletableFuture.supplyAsync(
              () -> generator.open(toggles, RATE, bench.form().time(TIMES)));
      probe(bench.deployment().http(), posts, lag, running);
      load = running.join();
    }
    bench.deployment().awaitSettled();
    double median = lag.getValueAtPercentile(50) / 1e6;
    double p99 = lag.getValueAtPercentile(99) / 1e6;
    bench
        .report()
        .text(
            "%s toggles/s asked, %s/s reached, errors %s; %d probes, looked at every 10 ms."
                .formatted(
                    count(RATE),
                    count(load.rate()),
                    percent(load.errorRatio()),
                    lag.getTotalCount()));
    boolean loaded = load.rate() >= REACHED * RATE;
    String suffix = loaded ? "" : " at %s/s".formatted(count(load.rate()));
    target(bench.report(), "median", MEDIAN, median, suffix, loaded);
    target(bench.report(), "p99", P99, p99, suffix, loaded);
  }

  private static void target(
      Report report, String what, double most, double seconds, String suffix, boolean loaded) {
    report.target(
        "answer to visible under %s toggles/s: %s".formatted(count(RATE), what),
        "≤ %.1f s".formatted(most),
        "%.2f s%s".formatted(seconds, suffix),
        loaded && seconds <= most);
  }

  /** Likes a post every now and then, and reads all that are not visible yet in one call. */
  private static void probe(
      Http http, List<String> posts, Histogram lag, CompletableFuture<?> running) {
    Map<String, Long> answered = new HashMap<>();
    int next = 0;
    long due = System.nanoTime();
    long give = 0;
    while (!running.isDone() || !answered.isEmpty()) {
      long now = System.nanoTime();
      if (!running.isDone()) {
        give = now + LONGEST_NANOS;
      } else if (now > give) {
        throw new IllegalStateException("never visible: " + answered.keySet());
      }
      if (now >= due && next < posts.size() && !running.isDone()) {
        String post = posts.get(next++);
        http.act(PROBE_USER, "like", post);
        answered.put(post, System.nanoTime());
        due += PROBE_EVERY_NANOS;
      }
      look(http, answered, lag);
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }

  private static void look(Http http, Map<String, Long> answered, Histogram lag) {
    if (answered.isEmpty()) {
      return;
    }
    String body =
        answered.keySet().stream()
            .map(post -> "\"" + post + "\"")
            .collect(Collectors.joining(",", "{\"entityType\":\"post\",\"entityIds\":[", "]}"));
    JsonNode items = http.post("/api/v1/counter/batch", body).json().path("items");
    long now = System.nanoTime();
    for (JsonNode item : items) {
      if (item.at("/counts/like").asLong() == 2) {
        long since = answered.remove(item.path("entityId").asString());
        lag.recordValue(Math.max(0, now - since) / 1000);
      }
    }
  }
}
