package dev.bitfold.counter;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counters as a bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CounterSettings.class)
class CounterConfiguration {

  @Bean
  Counters counters(
      RedisNodes redis,
      Lanes lanes,
      LaneScripts scripts,
      Vocabulary vocabulary,
      CounterSettings settings,
      Clock clock) {
    return new Counters(
        redis,
        lanes,
        new CounterPages(redis, lanes, vocabulary.schema()),
        new PageScript(scripts),
        vocabulary.schema(),
        new SharedReads(redis, settings, clock));
  }
}
