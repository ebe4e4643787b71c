package dev.bitfold.reconcile;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.rebuild.Cause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The audit in PostgreSQL: every correction of a counter, for ever. */
class Audits {

  private static final TypeReference<LinkedHashMap<String, Long>> COUNTS = new TypeReference<>() {};

  private static final String ADD =
      """
      insert into audit
        (lane, entry, entity_type, entity_id, cause, before, after, epoch, seq, at)
      values
        (:lane, :entry, :type, :id, :cause, cast(:before as json), cast(:after as json),
         :epoch, :seq, :at)
      on conflict (lane, entry) do nothing
      """;

  private static final String NEWEST =
      """
      select * from audit
      where id < :below
        and (cast(:type as text) is null or entity_type = :type)
        and (cast(:id as text) is null or entity_id = :id)
      order by id desc limit :most
      """;

  private final JdbcClient sql;
  private final JsonMapper json;

  Audits(JdbcClient sql, JsonMapper json) {
    this.sql = sql;
    this.json = json;
  }

  /** Answers whether the line is new; one that has its row already changes nothing. */
  boolean add(Lane lane, AuditLine line) {
    return sql.sql(ADD)
            .param("lane", lane.number())
            .param("entry", line.entry())
            .param("type", line.entity().type())
            .param("id", line.entity().id())
            .param("cause", line.cause().word())
            .param("before", line.before() == null ? null : json.writeValueAsString(line.before()))
            .param("after", json.writeValueAsString(line.after()))
            .param("epoch", line.epoch())
            .param("seq", line.seq())
            .param("at", Timestamp.from(line.at()))
            .update()
        == 1;
  }

  /**
   * The newest rows, newest first.
   *
   * @param entityType only of this type, of all if null
   * @param entityId only of this entity of the type, of all if null
   * @param below only rows with a smaller id
   */
  List<Audit> newest(@Nullable String entityType, @Nullable String entityId, long below, int most) {
    return sql.sql(NEWEST)
        .param("type", entityType)
        .param("id", entityId)
        .param("below", below)
        .param("most", most)
        .query((row, number) -> read(row))
        .list();
  }

  private Audit read(ResultSet row) throws SQLException {
    String before = row.getString("before");
    return new Audit(
        row.getLong("id"),
        new Lane(row.getInt("lane")),
        new AuditLine(
            row.getString("entry"),
            new Entity(row.getString("entity_type"), row.getString("entity_id")),
            Cause.of(row.getString("cause")),
            before == null ? null : counts(before),
            counts(row.getString("after")),
            row.getLong("epoch"),
            row.getLong("seq"),
            row.getTimestamp("at").toInstant()));
  }

  private Map<String, Long> counts(String text) {
    return json.readValue(text, COUNTS);
  }
}
