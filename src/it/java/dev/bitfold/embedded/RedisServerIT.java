package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.FreshDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServerIT {

  Path directory;
  RedisServer redis;

  @BeforeEach
  void start() {
    directory = FreshDirectory.named("redis");
    redis = new RedisServer(ServerSettings.of(directory.resolve("redis"), FreePorts.one()));
    redis.start();
  }

  @AfterEach
  void stop() {
    redis.stop();
  }

  @Test
  void is_the_process_it_says() throws IOException {
    String info = redis.call("INFO server");
    assertThat(info).contains("redis_version:7.0.15", "process_id:" + redis.pid());
    assertThat(info).contains("run_id:" + redis.runId());
  }

  @Test
  void data_survive_a_stop() throws IOException {
    redis.call("SET key value");
    String before = redis.runId();
    redis.stop();
    redis.start();
    assertThat(redis.call("GET key")).isEqualTo("value");
    assertThat(redis.runId()).isNotEqualTo(before);
  }

  @Test
  void acknowledged_data_survive_a_kill() throws IOException {
    redis.call("SET key value");
    redis.kill();
    assertThat(redis.isRunning()).isFalse();
    redis.start();
    assertThat(redis.call("GET key")).isEqualTo("value");
  }

  @Test
  void the_tail_of_the_append_only_file_can_be_cut_off() throws Exception {
    redis.call("SET early value");
    long second = Instant.now().getEpochSecond();
    await().until(() -> Instant.now().getEpochSecond() > second + 1);
    redis.call("SET late value");
    redis.kill();
    Process cut =
        new ProcessBuilder(
                redis.checkAof().toString(),
                "--truncate-to-timestamp",
                Long.toString(second + 1),
                redis.aofManifest().toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("cut.log").toFile())
            .start();
    assertThat(cut.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(cut.exitValue()).isZero();
    redis.start();
    assertThat(redis.call("GET early")).isEqualTo("value");
    assertThat(redis.call("GET late")).isEmpty();
  }

  @Test
  void a_half_written_program_is_replaced() throws IOException {
    redis.stop();
    Path program;
    try (var files = Files.list(directory.resolve("bin"))) {
      program = files.filter(f -> f.toString().contains("redis-server")).findFirst().orElseThrow();
    }
    Files.write(program, new byte[] {1, 2, 3});
    redis.start();
    assertThat(redis.call("PING")).isEqualTo("PONG");
  }

  @Test
  void a_second_server_on_the_same_directory_is_refused() {
    RedisServer second =
        new RedisServer(ServerSettings.of(directory.resolve("redis"), FreePorts.one()));
    assertThatThrownBy(second::start)
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessageContaining("already runs on")
        .hasMessageContaining("pid " + redis.pid());
    assertThat(redis.isRunning()).isTrue();
  }

  @Test
  void a_server_that_dies_during_its_start_shows_its_log() {
    RedisServer broken =
        new RedisServer(
            ServerSettings.of(directory.resolve("broken"), FreePorts.one()),
            List.of("--no-such-option", "1"));
    assertThatThrownBy(broken::start)
        .isInstanceOf(EmbeddedStartException.class)
        .hasMessageContaining("Redis ended during its start (exit code 1)")
        .hasMessageContaining("no-such-option");
    assertThat(broken.isRunning()).isFalse();
  }
}
