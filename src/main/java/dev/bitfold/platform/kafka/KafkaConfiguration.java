package dev.bitfold.platform.kafka;

import dev.bitfold.metric.Lanes;
import java.time.Clock;
import org.apache.kafka.common.config.TopicConfig;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;
import org.springframework.kafka.support.ProducerListener;

/** Topics, created at start if they are missing. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TopicSettings.class)
class KafkaConfiguration {

  @Bean
  NewTopics topics(TopicSettings settings, Lanes lanes) {
    return new NewTopics(
        TopicBuilder.name(settings.events())
            .partitions(lanes.count())
            .replicas(settings.replicas())
            .config(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
            .config(TopicConfig.RETENTION_MS_CONFIG, Long.toString(settings.retention().toMillis()))
            .build(),
        TopicBuilder.name(settings.dead()).partitions(1).replicas(settings.replicas()).build());
  }

  /** Says nothing: whoever sends waits for the outcome and reports it. */
  @Bean
  ProducerListener<Object, Object> producerListener() {
    return new ProducerListener<>() {};
  }

  @Bean
  CounterEvents counterEvents(KafkaAdmin admin, TopicSettings settings) {
    return new CounterEvents(admin, settings);
  }

  @Bean
  TopicKeeper topicKeeper(CounterEvents topic, Clock clock) {
    return new TopicKeeper(topic, clock);
  }
}
