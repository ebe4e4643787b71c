package dev.bitfold.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.testkit.Stores;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class SqlStartIT {

  private static final int CUT_OFF = 2;

  private final DriverManagerDataSource postgres = postgres();
  private final AtomicInteger connections = new AtomicInteger();

  @Test
  void a_migration_that_loses_its_connection_is_made_again() {
    JdbcClient.create(postgres).sql("create schema if not exists cut_off").update();
    Flyway flyway =
        Flyway.configure().dataSource(cutOff()).schemas("cut_off").locations("empty").load();
    new SqlConfiguration().patientMigration().migrate(flyway);
    assertThat(connections).hasValueGreaterThan(CUT_OFF);
    assertThat(
            JdbcClient.create(postgres)
                .sql("select to_regclass('cut_off.flyway_schema_history') is not null")
                .query(Boolean.class)
                .single())
        .isTrue();
  }

  @Test
  void what_postgres_does_not_like_is_not_tried_again() {
    AtomicInteger tries = new AtomicInteger();
    assertThatThrownBy(
            () ->
                SqlStart.await(
                    () -> {
                      tries.incrementAndGet();
                      return JdbcClient.create(postgres)
                          .sql("select nothing from nowhere")
                          .update();
                    }))
        .hasMessageContaining("nowhere");
    assertThat(tries).hasValue(1);
  }

  /** Its first connections are ended by the server before anything is asked. */
  private DelegatingDataSource cutOff() {
    return new DelegatingDataSource(postgres) {
      @Override
      public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        if (connections.getAndIncrement() < CUT_OFF) {
          int backend = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
          JdbcClient.create(postgres)
              .sql("select pg_terminate_backend(:backend)")
              .param("backend", backend)
              .query(Boolean.class)
              .single();
        }
        return connection;
      }
    };
  }

  private static DriverManagerDataSource postgres() {
    Map<String, Object> stores = Stores.shared();
    return new DriverManagerDataSource(
        stores.get("spring.datasource.url").toString(),
        stores.get("spring.datasource.username").toString(),
        stores.get("spring.datasource.password").toString());
  }
}
