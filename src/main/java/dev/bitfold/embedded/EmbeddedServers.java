package dev.bitfold.embedded;

import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Redis, Kafka and PostgreSQL of one data directory, all ready or none running.
 *
 * <p>Closing stops them one after the other: Kafka, Redis, PostgreSQL.
 */
public final class EmbeddedServers implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedServers.class);
  private static final List<String> LIBRARIES =
      List.of("kafka.Kafka", "io.zonky.test.db.postgres.embedded.PgBinaryResolver");

  private final EmbeddedSettings settings;
  private final DataDirectory directory;
  private final RedisServer redis;
  private final KafkaServer kafka;
  private final PostgresServer postgres;

  private EmbeddedServers(EmbeddedSettings settings, DataDirectory directory) {
    this.settings = settings;
    this.directory = directory;
    redis = new RedisServer(settings.server("redis", settings.redisPort()));
    kafka =
        new KafkaServer(
            settings.server("kafka", settings.kafkaPort()), settings.kafkaControllerPort());
    postgres = new PostgresServer(settings.server("postgres", settings.postgresPort()));
  }

  /**
   * Stops what a killed earlier run left behind, then starts the three servers side by side.
   *
   * @throws EmbeddedStartException if one of them does not get ready; none is running then
   */
  public static EmbeddedServers start(EmbeddedSettings settings) {
    if (!available()) {
      throw new EmbeddedStartException(
          "This jar has no embedded Redis, Kafka and PostgreSQL.",
          "Run the standalone jar, or leave the profile 'embedded' out and give the addresses:"
              + " spring.data.redis.url, spring.kafka.bootstrap-servers, spring.datasource.url.");
    }
    try (ShutdownInterrupt guard = ShutdownInterrupt.open(settings.stopTimeout().multipliedBy(2))) {
      return startGuarded(settings);
    }
  }

  private static EmbeddedServers startGuarded(EmbeddedSettings settings) {
    EmbeddedServers servers =
        new EmbeddedServers(settings, DataDirectory.open(settings.data(), settings.minFreeSpace()));
    try {
      servers.all().forEach(EmbeddedServer::stopOrphan);
      servers.startSideBySide();
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** Whether the libraries of the embedded servers are on the class path. */
  static boolean available() {
    ClassLoader loader = EmbeddedServers.class.getClassLoader();
    return LIBRARIES.stream().allMatch(name -> ClassUtils.isPresent(name, loader));
  }

  public RedisServer redis() {
    return redis;
  }

  public KafkaServer kafka() {
    return kafka;
  }

  public PostgresServer postgres() {
    return postgres;
  }

  @Override
  public void close() {
    try {
      all().stream().filter(EmbeddedServer::isRunning).forEach(this::stop);
    } finally {
      directory.close();
    }
  }

  private void stop(EmbeddedServer server) {
    server.stop();
    log.info("{} stopped", server.name());
  }

  /** In the order they are stopped. */
  private List<EmbeddedServer> all() {
    return List.of(kafka, redis, postgres);
  }

  /**
   * Waits in small pieces: a thread that waits without limit looks stuck to Spring's shutdown hook,
   * which then lets the JVM end without waiting for what is closed here.
   */
  private void startSideBySide() {
    ExecutorService threads = Executors.newFixedThreadPool(all().size());
    try {
      CompletionService<EmbeddedServer> starts = new ExecutorCompletionService<>(threads);
      all().forEach(server -> starts.submit(server::start, server));
      for (int ready = 0; ready < all().size(); ) {
        Future<EmbeddedServer> next = starts.poll(1, TimeUnit.SECONDS);
        if (next != null) {
          next.get();
          ready++;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EmbeddedStartException failure) {
        throw failure;
      }
      throw new EmbeddedStartException(
          "The embedded servers could not be started: %s.".formatted(e.getCause()),
          "See the logs in %s.".formatted(settings.data()),
          e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException("The start was interrupted.", "Start again.", e);
    } finally {
      cancelAndAwait(threads);
    }
  }

  /** Interrupts the starts that are still going on; each kills its process before it ends. */
  private void cancelAndAwait(ExecutorService threads) {
    threads.shutdownNow();
    boolean interrupted = Thread.interrupted();
    try {
      if (!threads.awaitTermination(settings.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("An interrupted start did not end within {}", settings.stopTimeout());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
