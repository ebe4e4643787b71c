package dev.bitfold.rebuild;

import dev.bitfold.rebuild.RebuildJob.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rebuild jobs in PostgreSQL, so that every instance can tell how a job stands. */
class RebuildJobStore {

  private static final int MISSED_HEARTBEATS = 3;

  private final JdbcClient sql;
  private final RebuildSettings settings;
  private final Clock clock;

  RebuildJobStore(JdbcClient sql, RebuildSettings settings, Clock clock) {
    this.sql = sql;
    this.settings = settings;
    this.clock = clock;
  }

  RebuildJob create(String entityType) {
    Instant now = clock.instant();
    RebuildJob job =
        new RebuildJob(UUID.randomUUID(), entityType, State.COUNTING, 0, 0, null, now, now);
    sql.sql(
            """
            insert into rebuild_job (id, entity_type, state, done, total, started_at, updated_at)
            values (:id, :type, :state, 0, 0, :now, :now)
            """)
        .param("id", job.id())
        .param("type", entityType)
        .param("state", job.state().name())
        .param("now", Timestamp.from(now))
        .update();
    return job;
  }

  void update(UUID id, State state, long done, long total, @Nullable String error) {
    sql.sql(
            """
            update rebuild_job
            set state = :state, done = :done, total = :total, error = :error, updated_at = :now
            where id = :id
            """)
        .param("state", state.name())
        .param("done", done)
        .param("total", total)
        .param("error", error)
        .param("now", Timestamp.from(clock.instant()))
        .param("id", id)
        .update();
  }

  Optional<RebuildJob> find(UUID id) {
    return sql.sql("select * from rebuild_job where id = :id")
        .param("id", id)
        .query((row, number) -> read(row))
        .optional();
  }

  /** The job of that type which has not ended, if there is one. */
  Optional<RebuildJob> running(String entityType) {
    return sql.sql(
            """
            select * from rebuild_job
            where entity_type = :type and state in ('COUNTING', 'RUNNING')
            order by started_at desc limit 1
            """)
        .param("type", entityType)
        .query((row, number) -> read(row))
        .optional()
        .filter(job -> !job.state().ended());
  }

  private RebuildJob read(ResultSet row) throws SQLException {
    Instant updatedAt = row.getTimestamp("updated_at").toInstant();
    State written = State.valueOf(row.getString("state"));
    boolean silent =
        updatedAt
            .plus(settings.heartbeat().multipliedBy(MISSED_HEARTBEATS))
            .isBefore(clock.instant());
    return new RebuildJob(
        row.getObject("id", UUID.class),
        row.getString("entity_type"),
        silent && !written.ended() ? State.ABANDONED : written,
        row.getLong("done"),
        row.getLong("total"),
        row.getString("error"),
        row.getTimestamp("started_at").toInstant(),
        updatedAt);
  }
}
