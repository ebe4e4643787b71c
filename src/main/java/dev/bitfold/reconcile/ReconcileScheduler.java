package dev.bitfold.reconcile;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Decides when counters are compared: every second some of them, while a lane is open here. */
class ReconcileScheduler {

  private static final Logger log = LoggerFactory.getLogger(ReconcileScheduler.class);

  private final OwnedLanes lanes;
  private final ReconcileRound round;
  private final TroubleLog trouble;

  ReconcileScheduler(OwnedLanes lanes, ReconcileRound round, Clock clock) {
    this.lanes = lanes;
    this.round = round;
    this.trouble = new TroubleLog(log, clock);
  }

  @Scheduled(fixedDelayString = "${bitfold.reconcile.every:1s}")
  void reconcile() {
    if (lanes.in(LaneState.OPEN).isEmpty()) {
      return;
    }
    try {
      log.debug("{}", round.run());
    } catch (RedisUnavailableException away) {
      trouble.warn("counters not compared, tried again next round", away);
    } catch (RuntimeException unexpected) {
      log.error("counters not compared, tried again next round", unexpected);
    }
  }
}
