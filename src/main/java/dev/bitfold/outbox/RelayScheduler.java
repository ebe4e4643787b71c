package dev.bitfold.outbox;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.Phases;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Decides when lanes are relayed: again at once while there is something, else after a pause. */
class RelayScheduler implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RelayScheduler.class);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

  private final OwnedLanes lanes;
  private final RelayRound round;
  private final RelaySettings settings;
  private final TroubleLog trouble;
  private volatile boolean running;
  private @Nullable ExecutorService threads;

  RelayScheduler(OwnedLanes lanes, RelayRound round, RelaySettings settings, Clock clock) {
    this.lanes = lanes;
    this.round = round;
    this.settings = settings;
    this.trouble = new TroubleLog(log, clock);
  }

  @Override
  public void start() {
    running = true;
    ExecutorService pool =
        Executors.newFixedThreadPool(settings.threads(), new CustomizableThreadFactory("relay-"));
    for (int i = 0; i < settings.threads(); i++) {
      int share = i;
      pool.execute(() -> loop(share));
    }
    threads = pool;
  }

  @Override
  public void stop() {
    running = false;
    ExecutorService pool = threads;
    if (pool == null) {
      return;
    }
    pool.shutdownNow();
    try {
      pool.awaitTermination(settings.sendWait().toMillis(), TimeUnit.MILLISECONDS);
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

  private void loop(int share) {
    while (running) {
      List<Lane> open = lanes.in(LaneState.OPEN);
      round.keepOnly(open);
      boolean idle = true;
      for (Lane lane : open) {
        if (running && lane.number() % settings.threads() == share) {
          idle &= relay(lane);
        }
      }
      if (idle) {
        LockSupport.parkNanos(settings.idle().toNanos());
      }
    }
  }

  /** Answers whether there was nothing to do. */
  private boolean relay(Lane lane) {
    try {
      RelayResult result = round.run(lane);
      if (!result.idle()) {
        log.debug("lane {}: {}", lane, result);
      }
      if (result.failed() > 0) {
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
      }
      return result.idle();
    } catch (LaneClosedException closed) {
      lanes.closed(lane);
    } catch (RedisUnavailableException away) {
      if (running) {
        trouble.warn("lane " + lane + " not relayed, tried again", away);
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
      }
    } catch (RuntimeException unexpected) {
      log.error("lane {} not relayed, tried again", lane, unexpected);
      LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
    }
    return true;
  }
}
