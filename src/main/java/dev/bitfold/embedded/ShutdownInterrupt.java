package dev.bitfold.embedded;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that opened it when the JVM is told to stop, and holds the JVM until it is
 * closed. Without it a Ctrl-C during the start would leave servers behind, because Spring closes
 * only what has been created.
 */
final class ShutdownInterrupt implements AutoCloseable {

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;

  private ShutdownInterrupt(Thread worker, Duration atMost) {
    hook =
        new Thread(
            () -> {
              worker.interrupt();
              awaitClosed(atMost);
            },
            "embedded-shutdown");
  }

  /**
   * Guards the current thread.
   *
   * @param atMost how long the JVM is held
   */
  static ShutdownInterrupt open(Duration atMost) {
    ShutdownInterrupt guard = new ShutdownInterrupt(Thread.currentThread(), atMost);
    try {
      Runtime.getRuntime().addShutdownHook(guard.hook);
    } catch (IllegalStateException e) {
      throw new EmbeddedStartException("The service is already stopping.", "Start again.", e);
    }
    return guard;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM is stopping, and the hook ends by itself
    }
  }

  private void awaitClosed(Duration atMost) {
    try {
      closed.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
