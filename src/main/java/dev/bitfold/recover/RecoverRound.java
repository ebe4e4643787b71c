package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.LaneEpochs.Loss;
import dev.bitfold.recover.OpenScript.Opening;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Opens one lane that is closed, or open on a topic that is gone: claims it with a new epoch,
 * applies again what the log accepted beyond the lane's state, appends the marker of the epoch to
 * the log and writes the open mark. It may stop after any of these; the next round starts over with
 * a higher epoch.
 */
public class RecoverRound {

  private final ClaimScript claim;
  private final ReapplyScript reapply;
  private final OpenScript open;
  private final LaneEpochs epochs;
  private final LaneLog log;
  private final RecoverSettings settings;
  private final Clock clock;

  public RecoverRound(
      ClaimScript claim,
      ReapplyScript reapply,
      OpenScript open,
      LaneEpochs epochs,
      LaneLog log,
      RecoverSettings settings,
      Clock clock) {
    this.claim = claim;
    this.reapply = reapply;
    this.open = open;
    this.epochs = epochs;
    this.log = log;
    this.settings = settings;
    this.clock = clock;
  }

  /** Asks whether a lane is open on the present topic; one open in another life no longer is. */
  Claim look(Lane lane) {
    return claim.run(lane, 0, log.knownTopic());
  }

  public RecoverResult run(Lane lane) throws KafkaUnavailableException {
    Claim asked = look(lane);
    return asked instanceof Claim.Stale known ? recover(lane, known.highest()) : outcome(asked);
  }

  private RecoverResult recover(Lane lane, long above) throws KafkaUnavailableException {
    if (above >= LogRecord.HIGHEST) {
      return new RecoverResult.Blocked("the log has an epoch that nobody gave out: " + above);
    }
    String topic = log.topic();
    long epoch = epochs.next(lane, above);
    Claim result = claim.run(lane, epoch, topic);
    if (!(result instanceof Claim.Claimed state)) {
      return outcome(result);
    }
    Evidence evidence = new Evidence(state, epochs.opened(lane), topic, log.range(lane));
    LogWalk walk =
        walk(lane, evidence, new LogWalk(state.epoch(), state.folded(), state.before(), false));
    long done = state.seq() - state.before();
    if (walk.highestEpoch() >= epoch) {
      return recover(lane, walk.highestEpoch());
    }
    Optional<String> doubt = evidence.doubt(walk);
    if (doubt.isPresent()) {
      if (!settings.acceptLoss()) {
        return new RecoverResult.Blocked(doubt.get());
      }
      walk = walk(lane, evidence, new LogWalk(state.epoch(), state.folded(), state.seq(), true));
      done = 0;
    }
    OptionalLong seq = reapply(lane, epoch, state.seq(), walk, (int) done);
    if (seq.isEmpty() || !log.topic().equals(topic)) {
      return new RecoverResult.Yielded();
    }
    Loss loss = doubt.isPresent() ? Loss.ACCEPTED : Loss.NONE;
    long base = loss == Loss.ACCEPTED ? 0 : seq.getAsLong();
    // after a loss, numbers up to seq are those of the state, and those above will be given anew
    long folded = Math.min(Math.max(walk.folded(), state.folded()), seq.getAsLong());
    log.append(new EpochMarker(epoch, lane, base, folded));
    epochs.opening(lane, epoch, loss);
    long read = evidence.range().end();
    return open.run(lane, epoch, seq.getAsLong(), topic, read, folded) == Opening.OPEN
        ? new RecoverResult.Reopened(read, epoch, walk.accepted().length - done)
        : new RecoverResult.Yielded();
  }

  private LogWalk walk(Lane lane, Evidence evidence, LogWalk walk)
      throws KafkaUnavailableException {
    log.read(lane, evidence.from(), evidence.range().end(), walk::take);
    return walk;
  }

  private static RecoverResult outcome(Claim claim) {
    return claim instanceof Claim.Open found
        ? new RecoverResult.AlreadyOpen(found.offset())
        : new RecoverResult.Yielded();
  }

  /**
   * Applies what the walk accepted, except what was done before; the lane's seq after that, or
   * nothing if the claim was lost. A record that is not the one of the walk is of a topic made anew
   * meanwhile, and left out.
   */
  private OptionalLong reapply(Lane lane, long epoch, long seq, LogWalk walk, int done)
      throws KafkaUnavailableException {
    long[] offsets = Arrays.copyOfRange(walk.accepted(), done, walk.accepted().length);
    long[] numbers = Arrays.copyOfRange(walk.numbers(), done, offsets.length + done);
    if (offsets.length == 0) {
      return OptionalLong.of(seq);
    }
    Reapplying reapplying = new Reapplying(lane, epoch, seq);
    log.read(
        lane,
        offsets[0],
        offsets[offsets.length - 1] + 1,
        (offset, record) -> {
          int at = Arrays.binarySearch(offsets, offset);
          if (at >= 0 && record instanceof Event event && event.seq() == numbers[at]) {
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
