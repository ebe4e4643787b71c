package dev.bitfold.chaos;

import dev.bitfold.chaos.Operation.Outcome;
import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.Instance;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Callers of one round: some act, one reads, all against any instance, and write down what they
 * were told. A user is always the same caller's, so operations on a fact follow each other.
 */
final class Callers implements AutoCloseable {

  static final List<String> METRICS = List.of("like", "fav");

  /** How answers name the facts of a metric. */
  static final Map<String, String> STATES = Map.of("like", "liked", "fav", "faved");

  private static final int ACTORS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** No answer in time: of a fault, or of a machine that has too much to do. */
  static final String LATE = "late";

  // Of one action alone: a batch that gets them may be done in part.
  private static final Set<String> NOT_DONE = Set.of("too_busy");
  private static final Set<String> NOT_DONE_IF_FAST = Set.of("outbox_full", "lane_closed");
  private static final JsonMapper JSON = new JsonMapper();

  private final People people;
  private final List<Instance> instances;
  private final ChaosForm form;
  private final boolean durable;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(ACTORS + 1, new CustomizableThreadFactory("caller-"));
  private final List<Future<?>> working = new ArrayList<>();
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<Reading> readings = new ConcurrentLinkedQueue<>();
  private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final Queue<String> codes = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  Callers(People people, List<Instance> instances, ChaosForm form, boolean durable) {
    this.people = people;
    this.instances = instances;
    this.form = form;
    this.durable = durable;
  }

  void start(long seed) {
    for (int i = 0; i < ACTORS; i++) {
      int share = i;
      Random random = new Random(seed + i);
      working.add(threads.submit(() -> repeat(form.pace() / ACTORS, () -> act(share, random))));
    }
    Random random = new Random(seed + ACTORS);
    working.add(threads.submit(() -> repeat(form.reads(), () -> read(random))));
  }

  /** Ends all calls and tells what happened. */
  History stop() {
    over = true;
    for (Future<?> caller : working) {
      try {
        caller.get();
      } catch (ExecutionException failed) {
        throw new IllegalStateException(failed.getCause());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(interrupted);
      }
    }
    return told();
  }

  /** What happened until now. */
  History told() {
    return new History(
        List.copyOf(operations),
        List.copyOf(readings),
        List.copyOf(unexpected),
        History.counted(List.copyOf(codes)));
  }

  /** Some work, answering how much it was. */
  private interface Work {
    int once();
  }

  private void repeat(int perSecond, Work work) {
    long begun = System.nanoTime();
    long done = 0;
    while (!over) {
      done += work.once();
      long due = begun + done * 1_000_000_000L / perSecond;
      long wait = due - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      } else {
        begun -= wait; // what was missed is not made up for
      }
    }
  }

  private int act(int share, Random random) {
    long user = people.user(share, ACTORS, random);
    boolean alone = random.nextInt(10) < form.singles();
    int size = alone ? 1 : 2 + random.nextInt(form.batch());
    Set<Fact> facts = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      facts.add(new Fact(user, people.entity(random), METRICS.get(random.nextInt(METRICS.size()))));
    }
    List<Wish> wishes = new ArrayList<>();
    facts.forEach(fact -> wishes.add(new Wish(fact, random.nextInt(10) < 6)));
    Call call = alone ? single(wishes.get(0)) : batch(wishes);
    send(call, random, wishes);
    return wishes.size();
  }

  record Wish(Fact fact, boolean wanted) {

    Operation told(long sent, Outcome outcome, String code) {
      return new Operation(fact, wanted, sent, now(), outcome, code);
    }

    /** Whether an answer says that the fact is now as wanted. */
    boolean granted(JsonNode result) {
      return result.path(STATES.get(fact.metric())).booleanValue(!wanted) == wanted;
    }
  }

  private record Call(String path, String body, long user, boolean batch) {}

  private static Call single(Wish wish) {
    return new Call(
        "/api/v1/action/" + action(wish),
        "{\"entityType\":\"post\",\"entityId\":\"%s\"}".formatted(wish.fact().entity().id()),
        wish.fact().userId(),
        false);
  }

  private static Call batch(List<Wish> wishes) {
    return new Call(
        "/api/v1/action/batch",
        wishes.stream()
            .map(
                wish ->
                    "{\"action\":\"%s\",\"entityType\":\"post\",\"entityId\":\"%s\"}"
                        .formatted(action(wish), wish.fact().entity().id()))
            .collect(Collectors.joining(",", "{\"actions\":[", "]}")),
        wishes.get(0).fact().userId(),
        true);
  }

  private static String action(Wish wish) {
    return (wish.wanted() ? "" : "un") + wish.fact().metric();
  }

  private void send(Call call, Random random, List<Wish> wishes) {
    Instance instance = instances.get(random.nextInt(instances.size()));
    HttpRequest request =
        request(instance, call.path())
            .header("X-User-Id", Long.toString(call.user()))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(call.body()))
            .build();
    long sent = now();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      JsonNode answer = JSON.readTree(response.body());
      String code = code(response, answer);
      codes.add(code);
      for (int i = 0; i < wishes.size(); i++) {
        JsonNode result = call.batch() ? answer.path("results").path(i) : answer;
        Outcome outcome = outcome(code, result, !call.batch());
        operations.add(wishes.get(i).told(sent, outcome, code));
        if (code.equals("ok") && !wishes.get(i).granted(result)) {
          unexpected.add(wishes.get(i) + " was answered " + result);
        }
      }
      expected(response, call.path());
    } catch (ConnectException refused) {
      codes.add("refused");
      wishes.forEach(wish -> operations.add(wish.told(sent, Outcome.REFUSED, "refused")));
    } catch (IOException lost) {
      codes.add(lost(lost));
      wishes.forEach(wish -> operations.add(wish.told(sent, Outcome.UNKNOWN, lost.toString())));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  Outcome outcome(String code, JsonNode result, boolean alone) {
    if (code.equals("ok")) {
      return result.path("changed").asBoolean() ? Outcome.CHANGED : Outcome.UNCHANGED;
    }
    boolean refused =
        alone && (NOT_DONE.contains(code) || !durable && NOT_DONE_IF_FAST.contains(code));
    return refused ? Outcome.REFUSED : Outcome.UNKNOWN;
  }

  private int read(Random random) {
    int kind = random.nextInt(10);
    Instance instance = instances.get(random.nextInt(instances.size()));
    if (kind < 6) {
      List<Entity> asked = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        asked.add(people.entity(random));
      }
      String ids =
          asked.stream()
              .map(entity -> "\"" + entity.id() + "\"")
              .collect(Collectors.joining(",", "[", "]"));
      HttpRequest request =
          request(instance, "/api/v1/counter/batch")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"entityType\":\"post\",\"entityIds\":" + ids + "}"))
              .build();
      read(request, asked, false);
    } else {
      Entity entity = people.entity(random);
      boolean exact = kind > 7;
      String path = "/api/v1/counter/post/" + entity.id() + (exact ? "?exact=true" : "");
      read(request(instance, path).GET().build(), List.of(entity), exact);
    }
    return 1;
  }

  private void read(HttpRequest request, List<Entity> asked, boolean exact) {
    long sent = now();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      long ended = now();
      expected(response, request.uri().getPath());
      JsonNode answer = JSON.readTree(response.body());
      codes.add("read " + code(response, answer));
      if (response.statusCode() != 200) {
        return;
      }
      for (int i = 0; i < asked.size(); i++) {
        JsonNode counts =
            (answer.has("items") ? answer.path("items").path(i) : answer).path("counts");
        for (String metric : METRICS) {
          readings.add(
              new Reading(
                  new Fact.Total(asked.get(i), metric),
                  counts.path(metric).asLong(-1),
                  exact,
                  sent,
                  ended));
        }
      }
    } catch (IOException lost) {
      codes.add("read " + lost(lost));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A caller that was not answered in time is told apart from one that lost its connection. */
  private static String lost(IOException lost) {
    return lost instanceof HttpTimeoutException ? LATE : "lost";
  }

  private static String code(HttpResponse<String> response, JsonNode answer) {
    return response.statusCode() == 200 ? "ok" : answer.path("code").asString("?");
  }

  /** A fault is answered 503; anything else but success is one of the service's own. */
  private void expected(HttpResponse<String> response, String path) {
    if (response.statusCode() != 200 && response.statusCode() != 503) {
      unexpected.add(path + " answered " + response.statusCode() + " " + response.body());
    }
  }

  private static HttpRequest.Builder request(Instance instance, String path) {
    return HttpRequest.newBuilder(URI.create(instance.address() + path)).timeout(PATIENCE);
  }

  static long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
