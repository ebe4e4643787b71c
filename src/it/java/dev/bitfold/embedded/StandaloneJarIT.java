package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.Instance;
import dev.bitfold.testkit.Instance.Program;
import dev.bitfold.testkit.PackagedService;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The jar for trying out, with nothing but what it brings along. Other tests have more on their
 * class path than it has.
 */
class StandaloneJarIT {

  @Test
  void it_counts_a_like_and_takes_its_servers_down() {
    Path directory = FreshDirectory.named("standalone");
    List<Integer> ports = FreePorts.many(5);
    Program program =
        new Program(
            Path.of(System.getProperty("java.home")),
            List.of("-Xmx256m"),
            List.of("-jar", PackagedService.standaloneJar().toString()));
    List<ProcessHandle> servers;
    try (Instance instance =
        new Instance(
            "standalone",
            program,
            directory,
            ports.get(0),
            ports.get(1),
            Map.of(
                "bitfold.embedded.data", directory.resolve("data"),
                "bitfold.embedded.redis-port", ports.get(2),
                "bitfold.embedded.kafka-port", ports.get(3),
                "bitfold.embedded.postgres-port", ports.get(4)))) {
      instance.launch();
      try {
        instance.awaitUp();
        Await.until("a like", () -> instance.http().act(9, "like", "42").status() == 200);
        Await.until("its count", () -> instance.http().likes("42") == 1);
      } finally {
        servers =
            ProcessHandle.of(instance.pid()).stream().flatMap(ProcessHandle::descendants).toList();
        instance.stop();
      }
    }
    assertThat(servers).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
  }
}
