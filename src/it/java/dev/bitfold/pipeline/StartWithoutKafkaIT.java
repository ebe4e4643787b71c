package dev.bitfold.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.embedded.EmbeddedServers;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.Stores;
import org.junit.jupiter.api.Test;

/** The service starts without Kafka, serves what it can, and goes on when Kafka is there. */
class StartWithoutKafkaIT {

  @Test
  void lanes_open_when_kafka_comes_and_stay_open_without_it() {
    try (EmbeddedServers servers = Stores.own("without-kafka")) {
      servers.kafka().stop();
      try (BitfoldApp app = BitfoldApp.start(Stores.addresses(servers))) {
        assertThat(app.http().act(1, "like", "no-kafka").code()).isEqualTo("lane_closed");
        assertThat(app.http().get("/api/v1/counter/post/no-kafka").code()).isEqualTo("lane_closed");
        assertThat(app.http().get("/api/v1/status/post/no-kafka?uid=1").code())
            .isEqualTo("lane_closed");
        servers.kafka().start();
        Await.until("toggles", () -> app.http().act(1, "like", "no-kafka").status() == 200);
        app.awaitSettled();
      }
      servers.kafka().stop();
      try (BitfoldApp app = BitfoldApp.start(Stores.addresses(servers))) {
        assertThat(app.http().act(2, "like", "no-kafka").status()).isEqualTo(200);
        servers.kafka().start();
        app.awaitSettled();
        assertThat(app.http().likes("no-kafka")).isEqualTo(2);
        Invariant.holds(app.redis(), app.lanes().all());
      }
    }
  }
}
