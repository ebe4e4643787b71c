package dev.bitfold.bucket;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.platform.kafka.TopicSettings;
import dev.bitfold.platform.time.Phases;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** The fold and its consumers as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FoldSettings.class)
class BucketConfiguration {

  private static final Duration AUTH_RETRY = Duration.ofSeconds(10);
  private static final Logger log = LoggerFactory.getLogger(BucketConfiguration.class);

  @Bean
  FoldListener foldListener(
      LaneScripts scripts,
      EventCodec codec,
      OwnedLanes lanes,
      KafkaTemplate<String, byte[]> kafka,
      TopicSettings topics,
      FoldSettings settings,
      Clock clock,
      MeterRegistry meters) {
    DeadLetters deadLetters = new DeadLetters(kafka, topics, settings, meters);
    FoldRound round = new FoldRound(new FoldScript(scripts), codec, deadLetters, meters);
    return new FoldListener(topics.events(), round, lanes, settings.lanesAtOnce(), clock);
  }

  @Bean
  ConcurrentMessageListenerContainer<byte[], byte[]> foldContainer(
      ConsumerFactory<byte[], byte[]> consumers,
      FoldListener listener,
      TopicSettings topics,
      FoldSettings settings) {
    ContainerProperties properties = new ContainerProperties(topics.events());
    properties.setMessageListener(listener);
    properties.setConsumerRebalanceListener(listener);
    properties.setSubBatchPerPartition(false);
    properties.setAckMode(AckMode.MANUAL);
    properties.setSyncCommits(false);
    properties.setAuthExceptionRetryInterval(AUTH_RETRY);
    properties.setCommitCallback(
        (offsets, failure) -> log.debug("committed {}, {}", offsets, failure));
    var container = new ConcurrentMessageListenerContainer<>(consumers, properties);
    container.setConcurrency(settings.threads());
    container.setBeanName("fold");
    container.setPhase(Phases.WORK);
    listener.runBy(container);
    return container;
  }
}
