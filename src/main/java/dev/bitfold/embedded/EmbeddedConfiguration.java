package dev.bitfold.embedded;

import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.Environment;

/**
 * The embedded run: three servers, and where Spring Boot finds them.
 *
 * <p>Clients get their address from the connection details, which come from the servers. So the
 * servers are up before the first client exists, and are stopped after the last one is gone.
 */
@Configuration(proxyBeanMethods = false)
@Profile(EmbeddedConfiguration.PROFILE)
@EnableConfigurationProperties(EmbeddedSettings.class)
class EmbeddedConfiguration {

  static final String PROFILE = "embedded";

  @Bean(destroyMethod = "close")
  EmbeddedServers embeddedServers(EmbeddedSettings settings) {
    return EmbeddedServers.start(settings);
  }

  @Bean
  DataRedisConnectionDetails embeddedRedisConnectionDetails(EmbeddedServers servers) {
    return new DataRedisConnectionDetails() {
      @Override
      public Standalone getStandalone() {
        return Standalone.of(EmbeddedServer.HOST, servers.redis().port());
      }
    };
  }

  @Bean
  KafkaConnectionDetails embeddedKafkaConnectionDetails(EmbeddedServers servers) {
    return () -> List.of(servers.kafka().bootstrapServers());
  }

  @Bean
  JdbcConnectionDetails embeddedJdbcConnectionDetails(EmbeddedServers servers) {
    return new JdbcConnectionDetails() {
      @Override
      public String getUsername() {
        return servers.postgres().username();
      }

      @Override
      public String getPassword() {
        return servers.postgres().password();
      }

      @Override
      public String getJdbcUrl() {
        return servers.postgres().jdbcUrl();
      }
    };
  }

  @Bean
  Welcome welcome(Environment environment) {
    return new Welcome(environment);
  }
}
