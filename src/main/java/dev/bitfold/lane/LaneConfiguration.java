package dev.bitfold.lane;

import dev.bitfold.metric.EventCodec;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.redis.RedisNodes;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The vocabulary, the lanes and the scripts as beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LaneSettings.class)
class LaneConfiguration {

  private static final String RUN_ID = "run_id:";

  @Bean
  Vocabulary vocabulary(LaneSettings settings) {
    return new Vocabulary(settings.entityTypes(), Schema.CONTENT);
  }

  @Bean
  Lanes lanes(LaneSettings settings) {
    return new Lanes(settings.lanes());
  }

  @Bean
  EventCodec eventCodec(Lanes lanes, Vocabulary vocabulary) {
    return new EventCodec(lanes, vocabulary);
  }

  @Bean
  OwnedLanes ownedLanes() {
    return new OwnedLanes();
  }

  @Bean
  LaneCountCheck laneCountCheck(
      RedisNodes redis, CounterEvents topic, JdbcClient sql, Lanes lanes) {
    return new LaneCountCheck(redis, topic, sql, lanes);
  }

  @Bean
  LaneScripts laneScripts(RedisNodes redis, Vocabulary vocabulary, LaneSettings settings) {
    return new LaneScripts(
        redis,
        LaneConfiguration::runId,
        ScriptText.of(vocabulary.schema(), settings.shardIds(), settings.pageCounters()));
  }

  private static CompletionStage<String> runId(RedisClusterAsyncCommands<byte[], byte[]> node) {
    return node.info("server")
        .thenApply(
            info ->
                info.lines()
                    .filter(line -> line.startsWith(RUN_ID))
                    .map(line -> line.substring(RUN_ID.length()).strip())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("Redis tells no run_id")));
  }
}
