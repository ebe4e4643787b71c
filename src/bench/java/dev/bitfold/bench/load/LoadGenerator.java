package dev.bitfold.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends requests to a port of the loopback address over a fixed number of connections. */
public final class LoadGenerator implements AutoCloseable {

  private final List<LoadThread> threads = new ArrayList<>();
  private final ExecutorService executor;

  public LoadGenerator(int port, int connections, int threads) {
    executor = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < threads; i++) {
        this.threads.add(new LoadThread(port, connections / threads));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request on each connection whenever it has the answer to the one before. */
  public Load closed(Requests requests, Duration time) {
    return together(thread -> thread.closed(requests, time.toNanos()));
  }

  /** Sends so many requests a second, late if it must be, and counts the lateness as latency. */
  public Load open(Requests requests, double rate, Duration time) {
    return together(thread -> thread.open(requests, rate / threads.size(), time.toNanos()));
  }

  @FunctionalInterface
  private interface Part {
    Load run(LoadThread thread) throws IOException;
  }

  private Load together(Part part) {
    List<CompletableFuture<Load>> parts =
        threads.stream()
            .map(thread -> CompletableFuture.supplyAsync(() -> run(part, thread), executor))
            .toList();
    return parts.stream()
        .map(CompletableFuture::join)
        .reduce((one, other) -> one.plus(other, true))
        .orElseThrow();
  }

  private static Load run(Part part, LoadThread thread) {
    try {
      return part.run(thread);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    executor.shutdown();
    for (LoadThread thread : threads) {
      try {
        thread.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
