package dev.bitfold.outbox;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.platform.time.Phases;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Decides when lanes are relayed: after a pause, or at once when more events wait. */
class RelayScheduler implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RelayScheduler.class);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

  /** In shortest pauses. */
  private static final int LONGEST_PAUSE = 5;

  private final OwnedLanes lanes;
  private final RelayRound round;
  private final RelaySettings settings;
  private volatile boolean running;
  private @Nullable Thread thread;

  RelayScheduler(OwnedLanes lanes, RelayRound round, RelaySettings settings) {
    this.lanes = lanes;
    this.round = round;
    this.settings = settings;
  }

  @Override
  public void start() {
    running = true;
    thread = new Thread(this::loop, "relay");
    thread.start();
  }

  @Override
  public void stop() {
    running = false;
    Thread stopping = thread;
    if (stopping == null) {
      return;
    }
    LockSupport.unpark(stopping);
    try {
      stopping.join(settings.sendWait().toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Phases.WORK;
  }

  private void loop() {
    Thread relay = Thread.currentThread();
    while (running) {
      long begun = System.nanoTime();
      RelayResult result = round.run(lanes.in(LaneState.OPEN), () -> LockSupport.unpark(relay));
      log.trace("{}", result);
      LockSupport.parkNanos(
          result.failed() ? PAUSE_AFTER_FAILURE.toNanos() : pause(System.nanoTime() - begun));
    }
  }

  /** Passes take a tenth of the time: the busier the machine, the fewer, and the more each has. */
  private long pause(long took) {
    long shortest = settings.every().toNanos();
    return Math.min(Math.max(shortest, 9 * took), LONGEST_PAUSE * shortest);
  }
}
