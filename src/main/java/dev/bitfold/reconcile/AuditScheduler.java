package dev.bitfold.reconcile;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;

/** Decides when audit lines are moved: every second, of the lanes that are open and owned here. */
class AuditScheduler {

  private static final Logger log = LoggerFactory.getLogger(AuditScheduler.class);

  private final OwnedLanes lanes;
  private final AuditRound round;
  private final TroubleLog trouble;

  AuditScheduler(OwnedLanes lanes, AuditRound round, Clock clock) {
    this.lanes = lanes;
    this.round = round;
    this.trouble = new TroubleLog(log, clock);
  }

  @Scheduled(fixedDelayString = "${bitfold.reconcile.audit-every:1s}")
  void move() {
    for (Lane lane : lanes.in(LaneState.OPEN)) {
      try {
        log.debug("lane {}: {}", lane, round.run(lane));
      } catch (RedisUnavailableException away) {
        trouble.warn("audit lines of lane " + lane + " not moved, tried again", away);
      } catch (DataAccessException away) {
        trouble.warn("audit lines wait for PostgreSQL", away);
        break;
      } catch (RuntimeException unexpected) {
        log.error("audit lines of lane {} not moved, tried again", lane, unexpected);
      }
    }
  }
}
