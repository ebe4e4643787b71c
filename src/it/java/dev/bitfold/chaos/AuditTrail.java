package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.Http;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The audit lines of the service: each has a reason, and each damage that had to be found has one.
 */
final class AuditTrail {

  private long last;

  /** An audit line, with its time in microseconds since 1970. */
  record Line(long id, Entity entity, String cause, long at) {}

  /** The lines that are new since the last call, newest first. */
  List<Line> news(Http http) {
    List<Line> lines = new ArrayList<>();
    String next = "";
    do {
      var answer = http.get("/api/v1/admin/audit?limit=200" + next);
      JsonNode page = answer.json();
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
    for (Line line : lines) {
      if (injuries.damages().stream().noneMatch(damage -> damage.entity().equals(line.entity()))) {
        violations.add(
            new Violation(Violation.Kind.AUDIT, "nobody harmed what was corrected: " + line));
      }
    }
    for (Damage damage : injuries.damages()) {
      if (mustBeFound(damage, injuries)
          && lines.stream().noneMatch(line -> line.entity().equals(damage.entity()))) {
        violations.add(new Violation(Violation.Kind.AUDIT, "no line tells of " + damage));
      }
    }
    return violations;
  }

  /** What Redis forgot again, or was overwritten by another damage, need not be found. */
  private static boolean mustBeFound(Damage damage, Injuries injuries) {
    return damage.kind().mustBeAudited()
        && injuries.losses().isEmpty()
        && injuries.damages().stream()
            .filter(other -> other.entity().equals(damage.entity()))
            .allMatch(other -> other.kind().mustBeAudited());
  }
}
