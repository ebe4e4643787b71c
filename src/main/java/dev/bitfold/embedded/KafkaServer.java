package dev.bitfold.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * A Kafka broker that is its own controller (KRaft), in a JVM of its own.
 *
 * <p>Topics are never created by being named, and a consumer group does not wait for company.
 */
public final class KafkaServer extends EmbeddedServer {

  /** The 16 bytes of "bitfold-embedded". */
  static final String CLUSTER_ID = "Yml0Zm9sZC1lbWJlZGRlZA";

  private static final String FAT_JAR_MAIN =
      "org.springframework.boot.loader.launch.PropertiesLauncher";
  private static final int ANSWER_MILLIS = 5_000;

  private final int controllerPort;

  public KafkaServer(ServerSettings settings) {
    this(settings, 0);
  }

  /**
   * A Kafka whose controller listens where told.
   *
   * @param controllerPort port of the controller on the loopback address; 0: a free one
   */
  public KafkaServer(ServerSettings settings, int controllerPort) {
    super("Kafka", "bitfold.embedded.kafka-port", settings);
    this.controllerPort = controllerPort;
  }

  /** What clients call {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return HOST + ":" + port();
  }

  @Override
  List<String> command() throws IOException {
    Files.writeString(config(), properties(controllerPort == 0 ? freePort() : controllerPort));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dlogback.configurationFile=dev/bitfold/embedded/kafka-logback.xml");
    if (runsFromFatJar()) {
      command.addAll(List.of("-Dloader.main=" + KafkaChild.class.getName(), FAT_JAR_MAIN));
    } else {
      command.add(KafkaChild.class.getName());
    }
    command.addAll(List.of(config().toString(), CLUSTER_ID, pidFile().toString()));
    return command;
  }

  /**
   * The class path of this JVM; as a variable, because a long command line gets cut in listings.
   */
  @Override
  Map<String, String> environment() {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return Map.of("CLASSPATH", classPath);
  }

  @Override
  Optional<String> probe(long pid) throws InterruptedException {
    if (!accepts(port())) {
      return Optional.empty();
    }
    Map<String, Object> client =
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers(),
            AdminClientConfig.CLIENT_ID_CONFIG,
            "embedded-ready",
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            ANSWER_MILLIS,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            ANSWER_MILLIS);
    try (Admin admin = Admin.create(client)) {
      DescribeClusterResult cluster = admin.describeCluster();
      String id = cluster.clusterId().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
      boolean serving = !cluster.nodes().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS).isEmpty();
      return CLUSTER_ID.equals(id) && serving
          ? Optional.of(AppInfoParser.getVersion())
          : Optional.empty();
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return Optional.empty();
    }
  }

  @Override
  Path pidFile() {
    return settings.directory().resolve("kafka.pid");
  }

  @Override
  boolean isOurs(String program, List<String> arguments) {
    return program.contains("java") && arguments.contains(config().toString());
  }

  private Path config() {
    return settings.directory().resolve("server.properties");
  }

  private String properties(int controller) {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@%1$s:%3$d
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://%1$s:%2$d,CONTROLLER://%1$s:%3$d
        advertised.listeners=PLAINTEXT://%1$s:%2$d
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        log.dirs=%4$s
        auto.create.topics.enable=false
        default.replication.factor=1
        min.insync.replicas=1
        offsets.topic.num.partitions=4
        offsets.topic.replication.factor=1
        transaction.state.log.num.partitions=4
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        share.coordinator.state.topic.num.partitions=1
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        group.initial.rebalance.delay.ms=0
        group.min.session.timeout.ms=1000
        log.cleaner.dedupe.buffer.size=4194304
        """
        .formatted(
            HOST, port(), controller, escaped(settings.directory().resolve("logs").toString()));
  }

  /** A value as a properties file wants it. */
  private static String escaped(String value) {
    return value.replace("\\", "\\\\");
  }

  /** Whether this JVM was started from an executable jar. */
  static boolean runsFromFatJar() {
    String loader = FAT_JAR_MAIN.replace('.', '/') + ".class";
    return ClassLoader.getSystemClassLoader().getResource(loader) != null;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }
}
