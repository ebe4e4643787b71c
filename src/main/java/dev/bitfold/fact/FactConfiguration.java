package dev.bitfold.fact;

import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisNodes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
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
    ToggleScript toggle = new ToggleScript(scripts);
    StatusScript status = new StatusScript(scripts);
    Counter calls = meters.counter("bitfold.fact.calls");
    return new Facts(
        lanes,
        new LaneCalls<>(
            (lane, toggles) -> {
              calls.increment();
              return toggle.run(lane, toggles, clock.millis(), settings.outboxLimit());
            },
            Applied::part,
            lanes,
            settings,
            clock),
        new LaneCalls<>(status::run, List::subList, lanes, settings, clock),
        new CountScript(scripts),
        new FoldWait(redis, settings, clock),
        new AnswerHold(settings, pause -> LockSupport.parkNanos(pause.toNanos()), meters),
        settings,
        meters);
  }
}
