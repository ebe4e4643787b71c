package dev.bitfold.bench;

import dev.bitfold.bench.Row.Sample;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Commands sent to Redis back to back over one connection: the physical limit. */
record Pipeline(StatefulRedisConnection<byte[], byte[]> connection) {

  /** Commands that go out together. */
  private static final int WINDOW = 200;

  /** Windows under way, so that Redis never waits for the next one. */
  private static final int WINDOWS = 4;

  /** Commands a second, each about so many things. */
  Sample run(Duration time, int things, Supplier<CompletionStage<?>> command) {
    Deque<List<CompletionStage<?>>> underWay = new ArrayDeque<>();
    long start = System.nanoTime();
    long answered = 0;
    connection.setAutoFlushCommands(false);
    try {
      while (System.nanoTime() - start < time.toNanos()) {
        List<CompletionStage<?>> window = new ArrayList<>(WINDOW);
        for (int i = 0; i < WINDOW; i++) {
          window.add(command.get());
        }
        connection.flushCommands();
        underWay.add(window);
        if (underWay.size() == WINDOWS) {
          underWay.remove().forEach(RedisReplies::await);
          answered += WINDOW;
        }
      }
      for (List<CompletionStage<?>> window : underWay) {
        window.forEach(RedisReplies::await);
        answered += WINDOW;
      }
    } finally {
      connection.setAutoFlushCommands(true);
    }
    return new Sample(answered * things * 1e9 / (System.nanoTime() - start), 0);
  }
}
