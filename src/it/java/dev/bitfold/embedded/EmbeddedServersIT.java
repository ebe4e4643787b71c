package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.FreshDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class EmbeddedServersIT {

  Path data;
  EmbeddedSettings settings;

  @BeforeEach
  void freshDirectoryAndPorts() {
    data = FreshDirectory.named("servers");
    List<Integer> ports = FreePorts.many(3);
    settings = EmbeddedSettings.of(data, ports.get(0), ports.get(1), ports.get(2));
  }

  @Test
  void data_survive_a_stop_and_a_kill_of_all_three() throws Exception {
    try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
      write(servers);
    }
    assertThat(processesOf(data)).isEmpty();
    try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
      assertWritten(servers);
      servers.redis().kill();
      servers.kafka().kill();
      servers.postgres().kill();
    }
    assertThat(processesOf(data)).isEmpty();
    try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
      assertWritten(servers);
    }
  }

  @Test
  void orphans_of_an_earlier_run_are_stopped() throws Exception {
    // Servers that nobody stops and whose directory nobody has locked: what kill -9 leaves.
    RedisServer redis = new RedisServer(settings.server("redis", settings.redisPort()));
    KafkaServer kafka = new KafkaServer(settings.server("kafka", settings.kafkaPort()));
    PostgresServer postgres =
        new PostgresServer(settings.server("postgres", settings.postgresPort()));
    redis.start();
    kafka.start();
    postgres.start();
    redis.call("SET key value");
    try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
      assertThat(redis.isRunning()).isFalse();
      assertThat(kafka.isRunning()).isFalse();
      assertThat(postgres.isRunning()).isFalse();
      assertThat(servers.redis().call("GET key")).isEqualTo("value");
    }
  }

  @Test
  void a_strangers_process_on_the_port_is_named_and_left_alone() throws IOException {
    Path elsewhere = FreshDirectory.named("stranger").resolve("redis");
    try (RedisServer stranger =
        new RedisServer(ServerSettings.of(elsewhere, settings.redisPort()))) {
      stranger.start();
      EmbeddedStartException failure =
          catchThrowableOfType(EmbeddedStartException.class, () -> EmbeddedServers.start(settings));
      assertThat(failure)
          .hasMessage(
              "Port %d, where Redis should listen, is in use by another process."
                  .formatted(settings.redisPort()));
      assertThat(failure.action()).contains("bitfold.embedded.redis-port");
      assertThat(stranger.call("PING")).isEqualTo("PONG");
    }
    assertThat(processesOf(data)).isEmpty();
  }

  @Test
  void a_pid_file_that_names_a_stranger_does_no_harm() throws IOException {
    Path elsewhere = FreshDirectory.named("stranger").resolve("redis");
    try (RedisServer stranger = new RedisServer(ServerSettings.of(elsewhere, FreePorts.one()))) {
      stranger.start();
      RedisServer ours = new RedisServer(settings.server("redis", settings.redisPort()));
      Files.createDirectories(ours.pidFile().getParent());
      Files.writeString(ours.pidFile(), Long.toString(stranger.pid()));
      ours.stopOrphan();
      assertThat(stranger.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void a_taken_kafka_or_postgres_port_stops_the_rest() throws IOException {
    for (int port : List.of(settings.kafkaPort(), settings.postgresPort())) {
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        assertThatThrownBy(() -> EmbeddedServers.start(settings))
            .isInstanceOf(EmbeddedStartException.class)
            .hasMessageContaining("Port " + taken.getLocalPort());
      }
      assertThat(processesOf(data)).isEmpty();
    }
  }

  @Test
  void a_start_that_takes_too_long_leaves_nothing() {
    EmbeddedSettings hasty =
        new EmbeddedSettings(
            data,
            settings.redisPort(),
            settings.kafkaPort(),
            0,
            settings.postgresPort(),
            DataSize.ofMegabytes(1),
            Duration.ofMillis(300),
            Duration.ofSeconds(20));
    assertThatThrownBy(() -> EmbeddedServers.start(hasty))
        .isInstanceOf(EmbeddedStartException.class);
    assertThat(processesOf(data)).isEmpty();
  }

  @Test
  void a_second_run_on_the_same_directory_is_refused() {
    try (DataDirectory first = DataDirectory.open(data, DataSize.ofMegabytes(1))) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> EmbeddedServers.start(settings))
          .isInstanceOf(EmbeddedStartException.class)
          .hasMessage("Another Bitfold is already running on %s.".formatted(data));
    }
  }

  @Test
  void a_full_disk_is_refused() {
    assertThatThrownBy(() -> DataDirectory.open(data, DataSize.ofTerabytes(1_000_000)))
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessageContaining("is too full")
        .hasMessageContaining("MB are free");
  }

  private static void write(EmbeddedServers servers) throws Exception {
    servers.redis().call("SET key value");
    try (Admin admin = admin(servers)) {
      admin.createTopics(Set.of(new NewTopic("things", 3, (short) 1))).all().get();
    }
    try (Connection connection = connect(servers);
        Statement statement = connection.createStatement()) {
      statement.execute("create table thing(id int)");
      statement.execute("insert into thing values (7)");
    }
  }

  private static void assertWritten(EmbeddedServers servers) throws Exception {
    assertThat(servers.redis().call("GET key")).isEqualTo("value");
    assertThat(topics(servers)).contains("things");
    try (Connection connection = connect(servers);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select id from thing")) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(7);
    }
  }

  private static Set<String> topics(EmbeddedServers servers)
      throws ExecutionException, InterruptedException {
    try (Admin admin = admin(servers)) {
      return admin.listTopics().names().get();
    }
  }

  private static Admin admin(EmbeddedServers servers) {
    return Admin.create(Map.of("bootstrap.servers", servers.kafka().bootstrapServers()));
  }

  private static Connection connect(EmbeddedServers servers) throws SQLException {
    PostgresServer postgres = servers.postgres();
    return DriverManager.getConnection(
        postgres.jdbcUrl(), postgres.username(), postgres.password());
  }

  /** Running processes with a path below this directory among their arguments. */
  private static List<String> processesOf(Path directory) {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                Arrays.stream(process.info().arguments().orElse(new String[0]))
                    .anyMatch(argument -> argument.startsWith(directory.toString())))
        .map(process -> process.pid() + " " + process.info().commandLine().orElse(""))
        .toList();
  }
}
