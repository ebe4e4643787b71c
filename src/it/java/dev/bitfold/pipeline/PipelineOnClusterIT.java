package dev.bitfold.pipeline;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.RedisCluster;
import dev.bitfold.testkit.Stores;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a Redis Cluster of three masters, one of which is killed too. */
class PipelineOnClusterIT extends PipelineTest {

  private static EmbeddedServers servers;
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    servers = Stores.own("pipeline-on-cluster");
    cluster = RedisCluster.start(FreshDirectory.named("cluster"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
    servers.close();
  }

  @Override
  Map<String, Object> stores() {
    Map<String, Object> addresses = new HashMap<>(Stores.addresses(servers));
    addresses.remove("spring.data.redis.host");
    addresses.remove("spring.data.redis.port");
    addresses.put(
        "spring.data.redis.cluster.nodes",
        cluster.nodes().stream()
            .map(node -> "127.0.0.1:" + node.port())
            .collect(Collectors.joining(",")));
    return addresses;
  }

  @Override
  List<Runnable> storeFaults() {
    return List.of(
        () -> {
          servers.kafka().stop();
          servers.kafka().start();
        },
        () -> {
          cluster.nodes().get(1).kill();
          cluster.nodes().get(1).start();
          cluster.awaitWhole();
        });
  }
}
