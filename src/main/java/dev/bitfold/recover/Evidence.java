package dev.bitfold.recover;

import dev.bitfold.recover.ClaimScript.Claim.Claimed;
import dev.bitfold.recover.LaneEpochs.Opened;
import dev.bitfold.recover.LaneLog.Range;
import java.util.Optional;

/**
 * What is known of a lane that is to be opened, and whether it shows that nothing folded is
 * missing. It does if
 *
 * <ul>
 *   <li>Redis has kept the state in one life: then it has everything, whatever became of the log
 *   <li>or the log leads on from the state without a break, or comes to a marker that tells how
 *       much there had to be and finds that much; and comes to the last epoch that was opened.
 * </ul>
 *
 * @param state what Redis has
 * @param opened what the source of epochs remembers
 * @param topic id of the topic that has the log now
 * @param range what that log has
 */
record Evidence(Claimed state, Opened opened, String topic, Range range) {

  /** The offset from which the log is read. */
  long from() {
    return Math.max(sameLog() ? state.offset() : 0, range.begin());
  }

  /** Why the lane cannot be opened without perhaps losing something, if so. */
  Optional<String> doubt(LogWalk walk) {
    if (state.epoch() > 0 && state.epoch() < opened.since()) {
      return Optional.of(
          "its state is of epoch %d, and in epoch %d a loss was accepted"
              .formatted(state.epoch(), opened.since()));
    }
    if (walk.broken() || walk.last() < state.seq()) {
      return Optional.of(notLeadingOn());
    }
    if (state.kept() > 0 && state.kept() >= opened.epoch()) {
      return Optional.empty();
    }
    if (walk.epoch() < opened.epoch()) {
      return Optional.of(
          "it was open in epoch %d, and Redis and the log know of none after %d"
              .formatted(opened.epoch(), walk.epoch()));
    }
    return leadsOn() || walk.anchored() ? Optional.empty() : Optional.of(notLeadingOn());
  }

  private boolean sameLog() {
    return state.topic().equals(topic) && state.offset() <= range.end();
  }

  /** Whether the log has everything that came after the state. */
  private boolean leadsOn() {
    return state.epoch() == 0 ? range.begin() == 0 : sameLog() && range.begin() <= state.offset();
  }

  private String notLeadingOn() {
    return "the log from offset %d%s does not lead on from epoch %d, number %d, offset %d"
        .formatted(
            range.begin(),
            state.topic().isEmpty() || state.topic().equals(topic) ? "" : " of another topic",
            state.epoch(),
            state.seq(),
            state.offset());
  }
}
