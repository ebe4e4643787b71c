package dev.bitfold.outbox;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.kafka.TopicSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;

/** The relay as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RelaySettings.class)
class OutboxConfiguration {

  @Bean
  RelayRound relayRound(
      LaneScripts scripts,
      Vocabulary vocabulary,
      KafkaTemplate<String, byte[]> kafka,
      EventCodec codec,
      OwnedLanes lanes,
      RelaySettings settings,
      TopicSettings topics,
      Clock clock,
      MeterRegistry meters) {
    return new RelayRound(
        new OutboxReadScript(scripts, vocabulary.schema()),
        kafka,
        codec,
        lanes,
        settings,
        topics,
        clock,
        meters);
  }

  @Bean
  RelayScheduler relayScheduler(OwnedLanes lanes, RelayRound round, RelaySettings settings) {
    return new RelayScheduler(lanes, round, settings);
  }
}
