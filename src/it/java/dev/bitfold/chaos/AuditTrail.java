package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The audit lines of the service: each has a reason, and each damage that had to be found has one.
 */
final class AuditTrail {

  /** Lines have times in whole ones. */
  private static final long MILLISECOND = 1000;

  private long last;

  /** An audit line, with its time in microseconds since 1970. */
  record Line(long id, Entity entity, String cause, long at) {

    /** It was written before. */
    long until() {
      return at + MILLISECOND;
    }
  }

  /** The lines that are new since the last call, newest first. */
  List<Line> news(Http http) {
    List<Line> lines = new ArrayList<>();
    String next = "";
    do {
      String path = "/api/v1/admin/audit?limit=200" + next;
      JsonNode page = Await.success(() -> http.get(path)).json();
      for (JsonNode item : page.path("items")) {
        Instant at = Instant.parse(item.path("at").asString());
        lines.add(
            new Line(
                item.path("id").asLong(),
                new Entity(item.path("entityType").asString(), item.path("entityId").asString()),
                item.path("cause").asString(),
                ChronoUnit.MICROS.between(Instant.EPOCH, at)));
      }
      next = page.path("next").isNull() ? "" : "&before=" + page.path("next").asString("");
    } while (!next.isEmpty() && lines.get(lines.size() - 1).id() > last);
    lines.removeIf(line -> line.id() <= last);
    last = lines.stream().mapToLong(Line::id).max().orElse(last);
    return lines;
  }

  /** What does not fit between the lines of a round and the damage done in it. */
  static List<Violation> check(List<Line> lines, Injuries injuries) {
    List<Violation> violations = new ArrayList<>();
    Map<Entity, List<Line>> linesOf = lines.stream().collect(Collectors.groupingBy(Line::entity));
    linesOf.forEach(
        (entity, told) -> {
          List<Damage> done = damages(entity, injuries);
          // what was corrected and then forgotten by Redis is corrected again
          boolean forgotten = !injuries.losses().isEmpty();
          long corrected = Long.MIN_VALUE;
          for (Line line : told.stream().sorted(Comparator.comparingLong(Line::at)).toList()) {
            long since = corrected;
            if (done.stream().noneMatch(damage -> explains(damage, since, line))) {
              violations.add(unexplained(line));
            }
            corrected = forgotten ? corrected : line.at();
          }
          if (!forgotten && told.size() > done.size()) {
            violations.add(unexplained(told.get(0)));
          }
        });
    if (injuries.losses().isEmpty()) { // else Redis may have forgotten a damage, or a line
      injuries.damages().stream()
          .collect(Collectors.groupingBy(Damage::entity))
          .forEach(
              (entity, done) -> {
                List<Damage> left = untold(done, linesOf.getOrDefault(entity, List.of()));
                if (mustBeTold(left)) {
                  violations.add(new Violation(Violation.Kind.AUDIT, "no line tells of " + left));
                }
              });
    }
    return violations;
  }

  private static Violation unexplained(Line line) {
    return new Violation(Violation.Kind.AUDIT, "nobody harmed what was corrected: " + line);
  }

  private static List<Damage> damages(Entity entity, Injuries injuries) {
    return injuries.damages().stream().filter(damage -> damage.entity().equals(entity)).toList();
  }

  /** Whether the damage may be what the line tells of; a correction before it has left nothing. */
  private static boolean explains(Damage damage, long corrected, Line line) {
    return damage.kind().causes().contains(line.cause())
        && damage.done() >= corrected
        && damage.at() <= line.until();
  }

  /**
   * The damages that no line tells of: they are later than all of them, and not gone with a counter
   * that was deleted.
   */
  private static List<Damage> untold(List<Damage> done, List<Line> lines) {
    long deleted =
        done.stream()
            .filter(damage -> damage.kind() == Damage.Kind.DELETED && damage.certain())
            .mapToLong(Damage::at)
            .max()
            .orElse(Long.MIN_VALUE);
    return done.stream()
        .filter(damage -> damage.at() > deleted)
        .filter(damage -> lines.stream().noneMatch(line -> damage.at() <= line.until()))
        .toList();
  }

  /** All is exact in the end, so what these came to was corrected, unless it came to nothing. */
  private static boolean mustBeTold(List<Damage> left) {
    if (left.stream().anyMatch(damage -> !damage.certain() || damage.kind().mayPassInSilence())) {
      return false;
    }
    return left.stream().anyMatch(damage -> damage.kind() == Damage.Kind.TRUNCATED)
        || sum(left, 0) != 0
        || sum(left, 1) != 0;
  }

  private static long sum(List<Damage> damages, int metric) {
    return damages.stream().mapToLong(damage -> damage.effect().get(metric)).sum();
  }
}
