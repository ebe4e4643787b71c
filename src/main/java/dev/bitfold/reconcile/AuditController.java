package dev.bitfold.reconcile;

import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Vocabulary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit over HTTP, for operators. */
@RestController
@RequestMapping(path = "/api/v1/admin", produces = MediaType.APPLICATION_JSON_VALUE)
class AuditController {

  private static final int MOST_ITEMS = 200;

  private final Audits audits;
  private final Vocabulary vocabulary;

  AuditController(Audits audits, Vocabulary vocabulary) {
    this.audits = audits;
    this.vocabulary = vocabulary;
  }

  /**
   * A correction.
   *
   * @param before null if there was no good counter
   */
  record Item(
      long id,
      Instant at,
      int lane,
      String entityType,
      String entityId,
      String cause,
      @Nullable Map<String, Long> before,
      Map<String, Long> after,
      long epoch,
      long seq) {

    static Item of(Audit audit) {
      AuditLine line = audit.line();
      return new Item(
          audit.id(),
          line.at(),
          audit.lane().number(),
          line.entity().type(),
          line.entity().id(),
          line.cause().word(),
          line.before(),
          line.after(),
          line.epoch(),
          line.seq());
    }
  }

  /**
   * A page of the audit.
   *
   * @param next what {@code before} has to be for the next page; null if this is the last
   */
  record AuditResponse(List<Item> items, @Nullable String next) {}

  @GetMapping("/audit")
  AuditResponse audit(
      @RequestParam(required = false) @Nullable String entityType,
      @RequestParam(required = false) @Nullable String entityId,
      @RequestParam(defaultValue = "50") int limit,
      @RequestParam(defaultValue = "" + Long.MAX_VALUE) long before) {
    String type =
        entityType == null && entityId == null ? null : vocabulary.entityType("", entityType);
    String id = entityId == null ? null : vocabulary.entityId("entityId", entityId);
    check("limit", 1 <= limit && limit <= MOST_ITEMS, "must be from 1 to " + MOST_ITEMS);
    check("before", before >= 1, "must be what next was in an answer");
    List<Audit> found = audits.newest(type, id, before, limit + 1);
    List<Audit> page = found.subList(0, Math.min(limit, found.size()));
    return new AuditResponse(
        page.stream().map(Item::of).toList(),
        found.size() > limit ? Long.toString(page.get(limit - 1).id()) : null);
  }

  private static void check(String field, boolean good, String rule) {
    if (!good) {
      throw new InvalidInput(InvalidInput.Reason.INVALID_PARAMETER, field, rule);
    }
  }
}
