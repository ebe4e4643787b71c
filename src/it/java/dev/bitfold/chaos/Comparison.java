package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.chaos.Violation.Kind;
import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Instance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Compares, when all is quiet, what the service says with what its callers were told. */
final class Comparison {

  private final People people;
  private final List<Instance> instances;
  private final boolean durable;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<Fact, Boolean> facts = new HashMap<>();
  private final Map<Fact.Total, Long> counters = new HashMap<>();
  private long oldest;

  /**
   * Starts from what was found exact before.
   *
   * @param durable nothing answered may be lost, whatever Redis forgets
   */
  Comparison(People people, List<Instance> instances, boolean durable) {
    this.people = people;
    this.instances = instances;
    this.durable = durable;
  }

  /** Everything that was asked and is not as it must be after a round. */
  List<Violation> of(History history, Injuries injuries, List<AuditTrail.Line> corrections) {
    reachable(history, durable ? List.of() : injuries.losses());
    counted();
    possible(history, injuries, corrections);
    history.unexpected().forEach(answer -> found(Kind.OTHER, answer));
    injuries.unexpected().forEach(answer -> found(Kind.OTHER, answer));
    facts.forEach(people::compared);
    return violations;
  }

  /**
   * Asks every instance for the status of every user and every counter, over HTTP. What is missing
   * or malformed is made by that.
   */
  void ask() {
    String ids =
        people.entities().stream()
            .map(entity -> "\"" + entity.id() + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    for (long user : people.users()) {
      String body = "{\"entityType\":\"post\",\"entityIds\":%s,\"userId\":%d}".formatted(ids, user);
      for (Instance instance : instances) {
        Http http = instance.http();
        told(user, Await.success(() -> http.post("/api/v1/counter/batch", body)).json());
      }
    }
  }

  private void told(long user, JsonNode answer) {
    for (int i = 0; i < people.entities().size(); i++) {
      Entity entity = people.entities().get(i);
      JsonNode item = answer.path("items").path(i);
      for (String metric : Callers.METRICS) {
        JsonNode holds = item.path(Callers.STATES.get(metric));
        told(facts, new Fact(user, entity, metric), holds.booleanValue());
        long count = item.path("counts").path(metric).asLong(-1);
        told(counters, new Fact.Total(entity, metric), count);
      }
    }
  }

  /** Nothing changes any more, so all answers are the same. */
  private <K, V> void told(Map<K, V> answers, K what, V answer) {
    V before = answers.put(what, answer);
    if (before != null && !before.equals(answer)) {
      found(Kind.WRONG, "%s was answered %s, then %s".formatted(what, before, answer));
    }
  }

  private void reachable(History history, List<Loss> losses) {
    Map<Fact, List<Operation>> operations = history.byFact();
    facts.forEach(
        (fact, holds) -> {
          List<Operation> done = operations.getOrDefault(fact, List.of());
          new Reachable(people.held(fact), done, losses)
              .check(holds)
              .forEach(
                  wrong ->
                      found(
                          Kind.LOST,
                          "%s %s; it was %s, then %s, losses %s"
                              .formatted(fact, wrong, people.held(fact), done, losses)));
        });
  }

  /** Every counter is its exact count is the number of users who have it. */
  private void counted() {
    Map<Fact.Total, Long> held =
        facts.entrySet().stream()
            .filter(Map.Entry::getValue)
            .collect(Collectors.groupingBy(fact -> fact.getKey().total(), Collectors.counting()));
    for (Entity entity : people.entities()) {
      for (String metric : Callers.METRICS) {
        Fact.Total total = new Fact.Total(entity, metric);
        long truth = held.getOrDefault(total, 0L);
        long counter = counters.get(total);
        if (counter != truth) {
          found(
              counter > truth ? Kind.DOUBLE : Kind.WRONG,
              "the counter of %s is %d, facts are %d".formatted(total, counter, truth));
        }
      }
      for (Instance instance : instances) {
        Http http = instance.http();
        String path = "/api/v1/counter/post/" + entity.id() + "?exact=true";
        JsonNode exact = Await.success(() -> http.get(path)).json().path("counts");
        for (String metric : Callers.METRICS) {
          Fact.Total total = new Fact.Total(entity, metric);
          long truth = held.getOrDefault(total, 0L);
          long counted = exact.path(metric).asLong(-1);
          if (counted != truth) {
            found(Kind.WRONG, "the exact %s is %d, facts are %d".formatted(total, counted, truth));
          }
        }
      }
    }
  }

  /** How old the oldest count was that a caller was shown, in microseconds. */
  long oldest() {
    return oldest;
  }

  /** Every reading was possible a short time ago, except where somebody had falsified a counter. */
  private void possible(History history, Injuries injuries, List<AuditTrail.Line> corrections) {
    Map<Fact, List<Operation>> operations = history.byFact();
    Map<Fact.Total, PossibleCounts> possible = new HashMap<>();
    facts
        .keySet()
        .forEach(
            fact ->
                possible
                    .computeIfAbsent(fact.total(), total -> new PossibleCounts(injuries.losses()))
                    .add(people.held(fact), operations.getOrDefault(fact, List.of())));
    Lag lag = new Lag(injuries);
    history
        .readingsByTotal()
        .forEach(
            (total, readings) -> {
              PossibleCounts counts = possible.get(total).complete();
              readings.stream()
                  .filter(reading -> reading.count() < 0 || !misled(reading, injuries, corrections))
                  .forEach(reading -> possible(reading, counts.age(reading), lag));
            });
  }

  private void possible(Reading reading, OptionalLong age, Lag lag) {
    if (age.isEmpty()) {
      found(Kind.WRONG, reading + " was never possible");
    } else if (age.getAsLong() > lag.allowed(reading)) {
      found(Kind.WRONG, reading + " shows what was %d µs before".formatted(age.getAsLong()));
    } else {
      oldest = Math.max(oldest, age.getAsLong());
    }
  }

  /** Whether a copy of Redis or a damage that was not corrected yet explains any count. */
  static boolean misled(Reading reading, Injuries injuries, List<AuditTrail.Line> corrections) {
    return new Lag(injuries).ofACopy(reading)
        || !reading.exact()
            && injuries.damages().stream()
                .filter(damage -> damage.entity().equals(reading.total().entity()))
                .filter(damage -> damage.kind().misleads() && damage.at() <= reading.ended())
                .anyMatch(damage -> !mended(damage, reading, injuries, corrections));
  }

  /** Whether the damage was corrected before the reading; what was, Redis may forget again. */
  private static boolean mended(
      Damage damage, Reading reading, Injuries injuries, List<AuditTrail.Line> corrections) {
    return injuries.losses().isEmpty()
        && corrections.stream()
            .filter(line -> line.entity().equals(damage.entity()))
            .anyMatch(line -> line.at() > damage.done() && line.until() <= reading.sent());
  }

  private void found(Kind kind, String what) {
    violations.add(new Violation(kind, what));
  }
}
