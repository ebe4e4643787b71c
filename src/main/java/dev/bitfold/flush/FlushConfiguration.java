package dev.bitfold.flush;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.rebuild.Rebuilds;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The flush as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FlushSettings.class)
class FlushConfiguration {

  @Bean
  FlushRound flushRound(
      LaneScripts scripts, Rebuilds rebuilds, FlushSettings settings, MeterRegistry meters) {
    return new FlushRound(new FlushScript(scripts), rebuilds, settings, meters);
  }

  @Bean
  FlushScheduler flushScheduler(OwnedLanes lanes, FlushRound round, Clock clock) {
    return new FlushScheduler(lanes, round, clock);
  }
}
