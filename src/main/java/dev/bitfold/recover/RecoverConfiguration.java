package dev.bitfold.recover;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.EventCodec;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.TopicSettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** Recovery as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RecoverSettings.class)
class RecoverConfiguration {

  @Bean
  KafkaLaneLog laneLog(
      ConsumerFactory<byte[], byte[]> consumers,
      KafkaTemplate<String, byte[]> producer,
      EventCodec codec,
      CounterEvents topic,
      TopicSettings topics,
      RecoverSettings settings) {
    return new KafkaLaneLog(consumers, producer, codec, topic, topics, settings);
  }

  @Bean
  RecoverRound recoverRound(
      LaneScripts scripts, JdbcClient sql, LaneLog log, RecoverSettings settings, Clock clock) {
    return new RecoverRound(
        new ClaimScript(scripts),
        new ReapplyScript(scripts),
        new OpenScript(scripts),
        new SqlLaneEpochs(sql),
        log,
        settings,
        clock);
  }

  @Bean
  RecoverScheduler recoverScheduler(
      OwnedLanes lanes, RecoverRound round, LaneLog log, Clock clock, MeterRegistry meters) {
    return new RecoverScheduler(lanes, round, log, clock, meters);
  }
}
