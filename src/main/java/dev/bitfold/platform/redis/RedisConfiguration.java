package dev.bitfold.platform.redis;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** How this service wants its Redis client: fail at once, never send anything twice. */
@Configuration(proxyBeanMethods = false)
class RedisConfiguration {

  private static final Duration RECONNECT_FIRST = Duration.ofMillis(50);
  private static final Duration RECONNECT_SLOWEST = Duration.ofSeconds(1);
  private static final int MOST_WRITES = 256;

  /**
   * Commands are refused while the connection is down instead of queued, time out also when used
   * asynchronously, and are not sent again after a reconnect.
   */
  @Bean
  LettuceClientOptionsBuilderCustomizer failFast() {
    return options ->
        options
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .timeoutOptions(TimeoutOptions.enabled())
            .replayFilter(command -> true);
  }

  @Bean
  ClientResourcesBuilderCustomizer reconnectSoon() {
    return resources ->
        resources.reconnectDelay(
            Delay.fullJitter(
                RECONNECT_FIRST,
                RECONNECT_SLOWEST,
                RECONNECT_FIRST.toMillis(),
                TimeUnit.MILLISECONDS));
  }

  /** Commands that come at the same time leave in one write. */
  @Bean
  ClientResourcesBuilderCustomizer writeTogether() {
    return resources ->
        resources.nettyCustomizer(
            new NettyCustomizer() {
              @Override
              public void afterChannelInitialized(Channel channel) {
                channel.pipeline().addFirst(new FlushConsolidationHandler(MOST_WRITES, true));
              }
            });
  }

  @Bean
  RedisNodes redisNodes(LettuceConnectionFactory factory) {
    return RedisStart.await(() -> RedisNodes.connect(factory.getRequiredNativeClient()));
  }
}
