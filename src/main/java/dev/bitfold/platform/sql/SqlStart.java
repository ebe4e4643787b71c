package dev.bitfold.platform.sql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/**
 * What the service asks of PostgreSQL before it can start: tried again for some seconds, because
 * PostgreSQL may be starting too, or be restarted in the middle of it.
 */
public final class SqlStart {

  /**
   * Classes of SQL states: no connection, no room for another one, and stopped by an operator or a
   * crash.
   */
  private static final Set<String> AWAY = Set.of("08", "53", "57");

  private static final RetryPolicy SOME_SECONDS =
      RetryPolicy.builder()
          .predicate(SqlStart::isAway)
          .maxRetries(10)
          .delay(Duration.ofSeconds(1))
          .build();

  private SqlStart() {}

  /** What the work answers; its last failure if PostgreSQL did not come, or did not like it. */
  public static <T> T await(Supplier<T> work) {
    return new RetryTemplate(SOME_SECONDS).invoke(work);
  }

  private static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException
          || cause instanceof SQLException sql
              && sql.getSQLState() != null
              && AWAY.contains(sql.getSQLState().substring(0, 2))) {
        return true;
      }
    }
    return false;
  }
}
