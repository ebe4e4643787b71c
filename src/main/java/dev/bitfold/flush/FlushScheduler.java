package dev.bitfold.flush;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Decides when lanes are flushed: every second, those that are open and owned here. */
class FlushScheduler {

  private static final Logger log = LoggerFactory.getLogger(FlushScheduler.class);

  private final OwnedLanes lanes;
  private final FlushRound round;
  private final TroubleLog trouble;

  FlushScheduler(OwnedLanes lanes, FlushRound round, Clock clock) {
    this.lanes = lanes;
    this.round = round;
    this.trouble = new TroubleLog(log, clock);
  }

  @Scheduled(fixedRateString = "${bitfold.flush.every:1s}")
  void flush() {
    for (Lane lane : lanes.in(LaneState.OPEN)) {
      try {
        FlushResult result = round.run(lane);
        log.debug("lane {}: {}", lane, result);
      } catch (LaneClosedException closed) {
        lanes.closed(lane);
      } catch (RedisUnavailableException away) {
        trouble.warn("lane " + lane + " not flushed, tried again next round", away);
      } catch (RuntimeException unexpected) {
        log.error("lane {} not flushed, tried again next round", lane, unexpected);
      }
    }
  }
}
