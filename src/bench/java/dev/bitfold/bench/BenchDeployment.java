package dev.bitfold.bench;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.embedded.EmbeddedSettings;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.ScriptText;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Backlog;
import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Instance;
import dev.bitfold.testkit.PackagedService;
import dev.bitfold.testkit.Stores;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.util.FileSystemUtils;

/** One instance of the packaged service with the opponents in it, and stores of its own. */
final class BenchDeployment implements AutoCloseable {

  /** As the service has them if nothing else is said. */
  static final int LANES = 64;

  static final int SHARD_IDS = 512;
  static final int PAGE_COUNTERS = 40;

  private static final int VIRTUAL_THREADS = 21;
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  final Lanes lanes;
  final EmbeddedServers stores;
  final RedisNodes redis;
  final Backlog backlog;
  final LaneScripts scripts;
  final Instance service;
  final String javaVersion;
  private final Thread interrupted = new Thread(this::stop);
  private final RedisClient client;
  private final Path directory = FreshDirectory.named("bench");

  private BenchDeployment(BenchForm form, int lanes) {
    this.lanes = new Lanes(lanes);
    javaVersion = version(form.java());
    List<Integer> ports = FreePorts.many(5);
    stores =
        EmbeddedServers.start(
            EmbeddedSettings.of(directory, ports.get(0), ports.get(1), ports.get(2)));
    client = RedisClient.create(RedisURI.create("127.0.0.1", stores.redis().port()));
    redis = RedisNodes.connect(client);
    backlog = new Backlog(redis, this.lanes);
    scripts =
        new LaneScripts(
            redis,
            node -> CompletableFuture.completedFuture(stores.redis().runId()),
            ScriptText.of(Schema.CONTENT, SHARD_IDS, PAGE_COUNTERS));
    service =
        new Instance(
            "service", program(form), directory, ports.get(3), ports.get(4), properties(form));
  }

  /** Starts everything and waits until all lanes are open. */
  static BenchDeployment start(BenchForm form, int lanes) {
    BenchDeployment deployment = new BenchDeployment(form, lanes);
    Runtime.getRuntime().addShutdownHook(deployment.interrupted);
    deployment.service.launch();
    deployment.service.awaitUp();
    Await.until("all lanes open", () -> deployment.openLanes() == lanes);
    return deployment;
  }

  private int openLanes() {
    return service
        .management()
        .get("/actuator/health")
        .json()
        .at("/components/lanes/details/open")
        .asInt(0);
  }

  private Instance.Program program(BenchForm form) {
    Path jar = PackagedService.unpacked(PackagedService.jar(), directory);
    List<String> flags = new ArrayList<>(List.of("-Xms1g", "-Xmx1g"));
    flags.addAll(form.jvmFlags());
    String classPath = jar + File.pathSeparator + opponents();
    return new Instance.Program(
        form.java(), flags, List.of("-cp", classPath, "dev.bitfold.Bitfold"));
  }

  /** The classes of the opponents and no others of this build, in a directory of their own. */
  private Path opponents() {
    Path name = Path.of("dev", "bitfold", "bench", "opponent");
    Path root = directory.resolve("opponents");
    try {
      FileSystemUtils.copyRecursively(
          Path.of("target", "test-classes").resolve(name), root.resolve(name));
      return root;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Object> properties(BenchForm form) {
    Map<String, Object> all = new HashMap<>(Stores.addresses(stores));
    all.put("server.address", "127.0.0.1");
    all.put("management.server.address", "127.0.0.1");
    all.put("bitfold.identity", "header");
    all.put("bitfold.lanes", lanes.count());
    all.put("bench.opponents", true);
    all.put("logging.structured.format.console", "");
    all.put("spring.main.banner-mode", "off");
    if (Integer.parseInt(javaVersion.split("\\.")[0]) >= VIRTUAL_THREADS) {
      all.put("spring.threads.virtual.enabled", true);
    }
    all.putAll(form.properties());
    return all;
  }

  /** The version of a JVM, from the file {@code release} in its home. */
  private static String version(Path java) {
    try {
      return Files.readAllLines(java.resolve("release")).stream()
          .filter(line -> line.startsWith("JAVA_VERSION="))
          .map(line -> line.replaceAll("[^0-9.]", ""))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Calls the service for once. */
  Http http() {
    return new Http(service.port(), PATIENCE);
  }

  /** Waits until everything accepted is in the counters. */
  void awaitSettled() {
    Await.until("all lanes settled", LONGEST_DRAIN, backlog::settled);
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(interrupted);
    stop();
  }

  private void stop() {
    service.close();
    redis.close();
    client.shutdown();
    stores.close();
    // Logs stay; data would fill the disk.
    for (String large : List.of("app", "redis", "kafka", "postgres", "bin")) {
      FileSystemUtils.deleteRecursively(directory.resolve(large).toFile());
    }
  }
}
