package dev.bitfold.platform.sql;

import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How tables are made. */
@Configuration(proxyBeanMethods = false)
class SqlConfiguration {

  /** A migration that was cut off left nothing: PostgreSQL makes tables in transactions. */
  @Bean
  FlywayMigrationStrategy patientMigration() {
    return flyway -> SqlStart.await(flyway::migrate);
  }
}
