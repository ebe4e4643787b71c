package dev.bitfold.bucket;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.platform.kafka.TopicSettings;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/** Lanes that go from one instance to another. */
class RebalanceIT extends AppTest {

  private static final int LANES = BitfoldApp.LANES;
  private static final Duration PAUSE = Duration.ofNanos(200_000);

  /**
   * Opening a lane wakes its consumer. If that meets a consumer that is just being dealt others, it
   * is told of them in a second call that names none of them.
   */
  @Test
  void lanes_dealt_while_others_are_opened_are_owned() {
    var container = app.bean(ConcurrentMessageListenerContainer.class);
    TopicPartition kept = new TopicPartition(app.bean(TopicSettings.class).events(), 0);
    BitfoldApp other = BitfoldApp.start(stores(), settings());
    AtomicBoolean over = new AtomicBoolean();
    Runnable wake =
        () -> {
          while (!over.get()) {
            container.pausePartition(kept);
            container.resumePartition(kept);
            LockSupport.parkNanos(PAUSE.toNanos());
          }
        };
    CompletableFuture<Void> waking = CompletableFuture.completedFuture(null);
    try {
      try (other) {
        Await.until(
            "half of the lanes are the other's",
            () -> 2 * other.bean(OwnedLanes.class).in(LaneState.OPEN).size() == LANES);
        waking = CompletableFuture.runAsync(wake);
      }
      Await.until("all are dealt here", () -> container.getAssignedPartitions().size() == LANES);
    } finally {
      over.set(true);
      waking.join();
    }
    app.awaitOpen();
  }
}
