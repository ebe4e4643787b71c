package dev.bitfold.reconcile;

import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.rebuild.EntityScan;
import dev.bitfold.rebuild.Rebuilds;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Reconcile and the audit as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ReconcileSettings.class)
class ReconcileConfiguration {

  @Bean
  ReconcileRound reconcileRound(
      EntityScan scan,
      Rebuilds rebuilds,
      Lanes lanes,
      OwnedLanes owned,
      ReconcileSettings settings,
      MeterRegistry meters) {
    return new ReconcileRound(scan, rebuilds, lanes, owned, settings, meters);
  }

  @Bean
  ReconcileScheduler reconcileScheduler(OwnedLanes lanes, ReconcileRound round, Clock clock) {
    return new ReconcileScheduler(lanes, round, clock);
  }

  @Bean
  AuditLines auditLines(RedisNodes redis, Vocabulary vocabulary) {
    return new AuditLines(redis, vocabulary);
  }

  @Bean
  Audits audits(JdbcClient sql, JsonMapper json) {
    return new Audits(sql, json);
  }

  @Bean
  AuditRound auditRound(
      AuditLines lines, Audits audits, ReconcileSettings settings, MeterRegistry meters) {
    return new AuditRound(lines, audits, settings, meters);
  }

  @Bean
  AuditScheduler auditScheduler(OwnedLanes lanes, AuditRound round, Clock clock) {
    return new AuditScheduler(lanes, round, clock);
  }
}
