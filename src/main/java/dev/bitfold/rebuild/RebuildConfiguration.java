package dev.bitfold.rebuild;

import dev.bitfold.counter.Counters;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rebuilds as a bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RebuildSettings.class)
class RebuildConfiguration {

  @Bean
  Rebuilds rebuilds(
      LaneScripts scripts,
      Lanes lanes,
      Counters counters,
      RebuildSettings settings,
      Clock clock,
      MeterRegistry meters) {
    return new Rebuilds(new RebuildScript(scripts), lanes, counters, settings, clock, meters);
  }

  @Bean
  EntityScan entityScan(
      RedisNodes redis,
      Lanes lanes,
      Counters counters,
      Vocabulary vocabulary,
      RebuildSettings settings) {
    return new EntityScan(redis, lanes, counters, vocabulary, settings);
  }

  @Bean
  RebuildJobs rebuildJobs(
      JdbcClient sql,
      EntityScan scan,
      Rebuilds rebuilds,
      Vocabulary vocabulary,
      RebuildSettings settings,
      Clock clock) {
    return new RebuildJobs(
        new RebuildJobStore(sql, settings, clock),
        scan,
        rebuilds,
        vocabulary.schema(),
        settings,
        clock);
  }
}
