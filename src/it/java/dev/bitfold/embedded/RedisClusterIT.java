package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.RedisCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RedisClusterIT {

  @Test
  void three_masters_form_a_cluster_and_survive_a_kill_of_one() throws IOException {
    try (RedisCluster cluster = RedisCluster.start(FreshDirectory.named("cluster"))) {
      RedisServer last = cluster.nodes().get(2);
      last.call("SET foo bar"); // slot 12182
      last.kill();
      last.start();
      cluster.awaitWhole();
      assertThat(last.call("GET foo")).isEqualTo("bar");
    }
  }
}
