package dev.bitfold.testkit;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.embedded.EmbeddedSettings;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * Real Redis, Kafka and PostgreSQL for the tests of the running service, started once. Which ones
 * is chosen with {@code -Dtest.infra=}: {@code embedded} (default) or {@code testcontainers}.
 */
public final class Stores {

  private Stores() {}

  /** Started when the first test needs them. */
  private static final class Shared {
    private static final Map<String, Object> ADDRESSES =
        "testcontainers".equals(System.getProperty("test.infra")) ? containers() : embedded();
  }

  /** The addresses of the shared stores, as the service takes them. */
  public static Map<String, Object> shared() {
    return Shared.ADDRESSES;
  }

  /** Stores of one test alone, which may stop and start them. Always embedded. */
  public static EmbeddedServers own(String name) {
    List<Integer> ports = FreePorts.many(3);
    return EmbeddedServers.start(
        EmbeddedSettings.of(FreshDirectory.named(name), ports.get(0), ports.get(1), ports.get(2)));
  }

  /** The addresses of embedded stores, as the service takes them. */
  public static Map<String, Object> addresses(EmbeddedServers servers) {
    return addresses(
        "127.0.0.1",
        servers.redis().port(),
        servers.kafka().bootstrapServers(),
        servers.postgres().jdbcUrl(),
        servers.postgres().username(),
        servers.postgres().password());
  }

  private static Map<String, Object> embedded() {
    EmbeddedServers servers = own("stores");
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
    return addresses(servers);
  }

  private static Map<String, Object> containers() {
    GenericContainer<?> redis = new GenericContainer<>("redis:7.4").withExposedPorts(6379);
    KafkaContainer kafka = new KafkaContainer("apache/kafka:4.2.1");
    PostgreSQLContainer postgres = new PostgreSQLContainer("postgres:18");
    List.of(redis, kafka, postgres).parallelStream().forEach(GenericContainer::start);
    return addresses(
        redis.getHost(),
        redis.getMappedPort(6379),
        kafka.getBootstrapServers(),
        postgres.getJdbcUrl(),
        postgres.getUsername(),
        postgres.getPassword());
  }

  private static Map<String, Object> addresses(
      String redisHost,
      int redisPort,
      String kafka,
      String jdbcUrl,
      String username,
      String password) {
    return Map.of(
        "spring.data.redis.host", redisHost,
        "spring.data.redis.port", redisPort,
        "spring.kafka.bootstrap-servers", kafka,
        "spring.datasource.url", jdbcUrl,
        "spring.datasource.username", username,
        "spring.datasource.password", password);
  }
}
