package dev.bitfold.testkit;

import static org.awaitility.Awaitility.await;

import dev.bitfold.embedded.RedisServer;
import dev.bitfold.embedded.ServerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A Redis Cluster of three masters without replicas; the slots are split evenly. */
public final class RedisCluster implements AutoCloseable {

  private static final int MASTERS = 3;
  private static final int SLOTS = 16384;
  private static final Duration FORMATION = Duration.ofSeconds(30);

  private final List<RedisServer> nodes;
  private final List<Integer> busPorts;

  private RedisCluster(Path directory, List<Integer> ports) {
    busPorts = ports.subList(MASTERS, 2 * MASTERS);
    nodes =
        IntStream.range(0, MASTERS)
            .mapToObj(i -> node(directory, i, ports.get(i), busPorts.get(i)))
            .toList();
  }

  /** Starts a cluster on free ports and waits until every node says that it is whole. */
  public static RedisCluster start(Path directory) {
    RedisCluster cluster = new RedisCluster(directory, FreePorts.many(2 * MASTERS));
    try {
      cluster.nodes.forEach(RedisServer::start);
      cluster.join();
      cluster.awaitWhole();
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw new IllegalStateException("the cluster did not form", e);
    }
  }

  public List<RedisServer> nodes() {
    return nodes;
  }

  /** Waits until every node knows all the others and serves all slots. */
  public void awaitWhole() {
    await().atMost(FORMATION).ignoreExceptions().until(() -> nodes.stream().allMatch(this::whole));
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::stop);
  }

  private void join() throws IOException {
    RedisServer first = nodes.get(0);
    for (int i = 0; i < MASTERS; i++) {
      RedisServer node = nodes.get(i);
      int from = SLOTS * i / MASTERS;
      int to = SLOTS * (i + 1) / MASTERS - 1;
      node.call("CLUSTER ADDSLOTSRANGE " + from + " " + to);
      node.call("CLUSTER SET-CONFIG-EPOCH " + (i + 1));
      if (i > 0) {
        first.call("CLUSTER MEET 127.0.0.1 " + node.port() + " " + busPorts.get(i));
      }
    }
  }

  private boolean whole(RedisServer node) {
    try {
      String info = node.call("CLUSTER INFO");
      return info.contains("cluster_state:ok")
          && info.contains("cluster_known_nodes:" + MASTERS)
          && info.contains("cluster_slots_ok:" + SLOTS);
    } catch (IOException e) {
      return false;
    }
  }

  private static RedisServer node(Path directory, int number, int port, int busPort) {
    Path home = directory.resolve("node-" + number);
    return new RedisServer(
        ServerSettings.of(home, port),
        List.of(
            "--cluster-enabled", "yes",
            "--cluster-port", Integer.toString(busPort),
            "--cluster-node-timeout", "3000"));
  }
}
