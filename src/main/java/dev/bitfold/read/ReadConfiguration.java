package dev.bitfold.read;

import dev.bitfold.counter.Counters;
import dev.bitfold.fact.Facts;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.rebuild.Rebuilds;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads as a bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ReadSettings.class)
class ReadConfiguration {

  @Bean
  CounterReads counterReads(
      Counters counters,
      Rebuilds rebuilds,
      Facts facts,
      Lanes lanes,
      Vocabulary vocabulary,
      MeterRegistry meters) {
    return new CounterReads(counters, rebuilds, facts, lanes, vocabulary, meters);
  }
}
