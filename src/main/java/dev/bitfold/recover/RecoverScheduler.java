package dev.bitfold.recover;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.platform.time.TroubleLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Decides when lanes are looked at: soon after they were dealt here or found closed, and all of
 * them when the topic is another one.
 */
class RecoverScheduler {

  private static final Logger log = LoggerFactory.getLogger(RecoverScheduler.class);

  private final OwnedLanes lanes;
  private final RecoverRound round;
  private final LaneLog laneLog;
  private final Counter recovered;
  private final Counter reapplied;
  private final TroubleLog trouble;
  private String topic = "";

  RecoverScheduler(
      OwnedLanes lanes, RecoverRound round, LaneLog laneLog, Clock clock, MeterRegistry meters) {
    this.trouble = new TroubleLog(log, clock);
    this.lanes = lanes;
    this.round = round;
    this.laneLog = laneLog;
    this.recovered = meters.counter("bitfold.recover.lanes");
    this.reapplied = meters.counter("bitfold.recover.events");
  }

  @Scheduled(fixedDelayString = "${bitfold.recover.every:250ms}")
  void recover() {
    if (lanes.all().isEmpty() || !topicIsKnown()) {
      return;
    }
    lookAtAll();
    Pass pass = new Pass();
    for (Lane lane : lanes.in(LaneState.CLOSED)) {
      try {
        report(lane, round.run(lane), pass);
      } catch (LaneClosedException anotherLife) {
        log.info("lane {}: Redis began another life, looked at again", lane);
      } catch (RedisUnavailableException | KafkaUnavailableException away) {
        trouble.warn("lane " + lane + " stays closed, tried again", away);
      } catch (DataAccessResourceFailureException away) {
        trouble.warn("lanes stay closed without PostgreSQL, tried again", away);
        break;
      } catch (DataAccessException refused) {
        trouble.warn("lane " + lane + " stays closed, PostgreSQL refused, tried again", refused);
      } catch (RuntimeException unexpected) {
        log.error("lane {} stays closed, tried again", lane, unexpected);
      }
    }
    if (pass.lanes > 0) {
      log.info("{} lanes opened, {} toggles came back from the log", pass.lanes, pass.reapplied);
    }
  }

  /**
   * Looks at all closed lanes before any is recovered, which may take long: a look takes away the
   * mark of a process that may come back with an older state.
   */
  private void lookAtAll() {
    for (Lane lane : lanes.in(LaneState.CLOSED)) {
      try {
        round.look(lane);
      } catch (LaneClosedException | RedisUnavailableException away) {
        trouble.warn("lane " + lane + " could not be looked at, tried again", away);
      }
    }
  }

  /** An operator may have put back a copy of Redis that can be opened. */
  @Scheduled(fixedDelayString = "${bitfold.recover.blocked-every:30s}")
  void lookAgainAtBlocked() {
    lanes.in(LaneState.BLOCKED).forEach(lanes::closed);
  }

  /**
   * Answers whether the topic is known; before that no lane is looked at, so none is open here on a
   * topic nobody has seen. Lanes that are open on another one are opened again on the present one.
   */
  private boolean topicIsKnown() {
    String seen = laneLog.knownTopic();
    if (seen.isEmpty()) {
      try {
        seen = laneLog.topic();
      } catch (KafkaUnavailableException away) {
        trouble.warn("lanes stay closed without Kafka, tried again", away);
        return false;
      }
    }
    if (!topic.isEmpty() && !seen.equals(topic)) {
      log.warn("the topic was made anew, lanes are opened again on it");
      lanes.in(LaneState.OPEN).forEach(lanes::closed);
    }
    topic = seen;
    return true;
  }

  /** What one look at all closed lanes came to. */
  private static final class Pass {
    private int lanes;
    private long reapplied;
  }

  private void report(Lane lane, RecoverResult result, Pass pass) {
    if (result instanceof RecoverResult.AlreadyOpen found) {
      lanes.opened(lane, found.offset());
    } else if (result instanceof RecoverResult.Reopened reopened) {
      recovered.increment();
      reapplied.increment(reopened.reapplied());
      pass.lanes++;
      pass.reapplied += reopened.reapplied();
      log.debug("lane {}: {}", lane, reopened);
      lanes.opened(lane, reopened.offset());
    } else if (result instanceof RecoverResult.Blocked blocked) {
      log.error(
          "lane {} stays closed: {}. Restore a newer copy of Redis, or accept the loss with"
              + " bitfold.recover.accept-loss=true",
          lane,
          blocked.reason());
      lanes.blocked(lane);
    }
  }
}
