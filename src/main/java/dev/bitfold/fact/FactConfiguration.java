package dev.bitfold.fact;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisNodes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Facts as a bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FactSettings.class)
class FactConfiguration {

  @Bean
  Facts facts(
      Lanes lanes,
      LaneScripts scripts,
      RedisNodes redis,
      FactSettings settings,
      Clock clock,
      MeterRegistry meters) {
    return new Facts(
        lanes,
        new SharedToggles(new ToggleScript(scripts), lanes, settings, clock, meters),
        new StatusScript(scripts),
        new CountScript(scripts),
        new FoldWait(redis, settings, clock),
        settings,
        meters);
  }
}
