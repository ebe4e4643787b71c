package dev.bitfold.pipeline;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.testkit.Stores;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On one Redis, which is killed too. */
class PipelineIT extends PipelineTest {

  private static EmbeddedServers servers;

  @BeforeAll
  static void start() {
    servers = Stores.own("pipeline");
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @Override
  Map<String, Object> stores() {
    return Stores.addresses(servers);
  }

  @Override
  List<Runnable> storeFaults() {
    return List.of(
        () -> {
          servers.kafka().stop();
          servers.kafka().start();
        },
        () -> {
          servers.redis().kill();
          servers.redis().start();
        });
  }
}
