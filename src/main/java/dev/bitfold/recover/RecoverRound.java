package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.LaneLog.Range;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Opens one closed lane: claims it with a new epoch, applies again what the log accepted beyond the
 * lane's state, appends the marker of the epoch to the log and writes the open mark. It may stop
 * after any of these; the next round starts over with a higher epoch.
 */
class RecoverRound {

  private final ClaimScript claim;
  private final ReapplyScript reapply;
  private final OpenScript open;
  private final LaneEpochs epochs;
  private final LaneLog log;
  private final CounterEvents topic;
  private final RecoverSettings settings;
  private final Clock clock;

  RecoverRound(
      ClaimScript claim,
      ReapplyScript reapply,
      OpenScript open,
      LaneEpochs epochs,
      LaneLog log,
      CounterEvents topic,
      RecoverSettings settings,
      Clock clock) {
    this.claim = claim;
    this.reapply = reapply;
    this.open = open;
    this.epochs = epochs;
    this.log = log;
    this.topic = topic;
    this.settings = settings;
    this.clock = clock;
  }

  RecoverResult run(Lane lane) throws KafkaUnavailableException {
    Claim asked = claim.run(lane, 0);
    return asked instanceof Claim.Stale known ? recover(lane, known.highest()) : outcome(asked);
  }

  private RecoverResult recover(Lane lane, long above) throws KafkaUnavailableException {
    String topicId = topic.describe().topicId().toString();
    long epoch = epochs.next(lane, above);
    Claim result = claim.run(lane, epoch);
    if (!(result instanceof Claim.Claimed state)) {
      return outcome(result);
    }
    Range range = log.range(lane);
    boolean sameLog = state.topic().equals(topicId) && state.offset() <= range.end();
    long from = sameLog ? state.offset() : 0;
    boolean cut = sameLog && range.begin() > from;
    LogWalk walk = walk(lane, state, Math.max(from, range.begin()), range.end(), false);
    if (walk.highestEpoch() >= epoch) {
      return recover(lane, walk.highestEpoch());
    }
    if (cut || walk.broken() || !sameLog && walk.unfilled()) {
      if (!settings.acceptLoss()) {
        return new RecoverResult.Blocked(
            "the log from offset %d does not lead on from epoch %d, number %d, offset %d"
                .formatted(range.begin(), state.epoch(), state.seq(), from));
      }
      walk = walk(lane, state, Math.max(from, range.begin()), range.end(), true);
    }
    long[] accepted = walk.accepted();
    OptionalLong base = reapply(lane, epoch, state.seq(), accepted);
    if (base.isEmpty()) {
      return new RecoverResult.Yielded();
    }
    log.append(new EpochMarker(epoch, lane, base.getAsLong()));
    OptionalLong offset = open.run(lane, epoch, base.getAsLong(), topicId, range.end());
    return offset.isEmpty()
        ? new RecoverResult.Yielded()
        : new RecoverResult.Reopened(offset.getAsLong(), epoch, accepted.length);
  }

  private LogWalk walk(Lane lane, Claim.Claimed state, long from, long to, boolean lenient)
      throws KafkaUnavailableException {
    LogWalk walk = new LogWalk(state.epoch(), state.seq(), lenient);
    log.read(lane, from, to, walk::take);
    return walk;
  }

  private static RecoverResult outcome(Claim claim) {
    return claim instanceof Claim.Open found
        ? new RecoverResult.AlreadyOpen(found.offset())
        : new RecoverResult.Yielded();
  }

  /** Applies the events at these offsets; the lane's seq after that, or nothing if it was lost. */
  private OptionalLong reapply(Lane lane, long epoch, long seq, long[] offsets)
      throws KafkaUnavailableException {
    if (offsets.length == 0) {
      return OptionalLong.of(seq);
    }
    Reapplying reapplying = new Reapplying(lane, epoch, seq);
    log.read(
        lane,
        offsets[0],
        offsets[offsets.length - 1] + 1,
        (offset, record) -> {
          if (record instanceof Event event && Arrays.binarySearch(offsets, offset) >= 0) {
            reapplying.add(event);
          }
        });
    reapplying.apply();
    return reapplying.seq;
  }

  /** Events on their way back into the lane, a batch at a time. */
  private final class Reapplying {
    private final Lane lane;
    private final long epoch;
    private final List<Event> batch = new ArrayList<>();
    private OptionalLong seq;

    Reapplying(Lane lane, long epoch, long seq) {
      this.lane = lane;
      this.epoch = epoch;
      this.seq = OptionalLong.of(seq);
    }

    void add(Event event) {
      batch.add(event);
      if (batch.size() == settings.batch()) {
        apply();
      }
    }

    void apply() {
      if (seq.isPresent() && !batch.isEmpty()) {
        seq = reapply.run(lane, epoch, seq.getAsLong(), clock.millis(), batch);
      }
      batch.clear();
    }
  }
}
