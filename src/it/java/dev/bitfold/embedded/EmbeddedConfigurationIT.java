package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.FreshDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaAdmin;

class EmbeddedConfigurationIT {

  private final Path data = FreshDirectory.named("configuration");
  private final List<Integer> ports = FreePorts.many(3);

  @Test
  void clients_find_the_servers_and_are_gone_before_them() {
    long pid;
    LastWords lastWords;
    try (ConfigurableApplicationContext context = run()) {
      pid = context.getBean(EmbeddedServers.class).redis().pid();
      lastWords = context.getBean(LastWords.class);
      assertThat(context.getBean(KafkaAdmin.class).clusterId()).isEqualTo(KafkaServer.CLUSTER_ID);
      String database = "select current_database()";
      assertThat(context.getBean(JdbcTemplate.class).queryForObject(database, String.class))
          .isEqualTo("bitfold");
    }
    assertThat(lastWords.heard).containsExactly("redis", "kafka", "postgres");
    assertThat(ProcessHandle.of(pid)).isEmpty();
  }

  private ConfigurableApplicationContext run() {
    return new SpringApplicationBuilder(Clients.class)
        .web(WebApplicationType.NONE)
        .profiles(EmbeddedConfiguration.PROFILE)
        .run(
            "--bitfold.embedded.data=" + data,
            "--bitfold.embedded.redis-port=" + ports.get(0),
            "--bitfold.embedded.kafka-port=" + ports.get(1),
            "--bitfold.embedded.postgres-port=" + ports.get(2));
  }

  @Configuration(proxyBeanMethods = false)
  @Import(EmbeddedConfiguration.class)
  @ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    KafkaAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    FlywayAutoConfiguration.class
  })
  static class Clients {

    @Bean
    LastWords lastWords(StringRedisTemplate redis, KafkaAdmin kafka, JdbcTemplate sql) {
      return new LastWords(redis, kafka, sql);
    }
  }

  /** A client that still needs the servers while it is being stopped and closed. */
  static final class LastWords implements SmartLifecycle, DisposableBean {

    final List<String> heard = new ArrayList<>();
    private final StringRedisTemplate redis;
    private final KafkaAdmin kafka;
    private final JdbcTemplate sql;
    private boolean running;

    LastWords(StringRedisTemplate redis, KafkaAdmin kafka, JdbcTemplate sql) {
      this.redis = redis;
      this.kafka = kafka;
      this.sql = sql;
    }

    @Override
    public void start() {
      running = true;
    }

    /** Spring closes the Redis connections at the end of this phase. */
    @Override
    public void stop() {
      redis.opsForValue().set("last", "words");
      heard.add("redis");
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public void destroy() {
      kafka.clusterId();
      heard.add("kafka");
      sql.execute("select 1");
      heard.add("postgres");
    }
  }
}
