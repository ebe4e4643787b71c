package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.metric.Schema;
import org.junit.jupiter.api.Test;

class LogWalkTest {

  private static final Lane LANE = new Lane(0);

  private static Event event(long epoch, long seq) {
    return new Event(
        epoch,
        LANE,
        seq,
        new Entity("post", "1"),
        Schema.CONTENT.toggle("like").orElseThrow(),
        1,
        1,
        0);
  }

  private static EpochMarker marker(long epoch, long base) {
    return marker(epoch, base, 0);
  }

  private static EpochMarker marker(long epoch, long base, long folded) {
    return new EpochMarker(epoch, LANE, base, folded);
  }

  private static LogWalk walk(long epoch, long seq, boolean lenient, LogRecord... log) {
    return walked(new LogWalk(epoch, 0, seq, lenient), log);
  }

  private static LogWalk walked(LogWalk walk, LogRecord... log) {
    for (int i = 0; i < log.length; i++) {
      walk.take(i, log[i]);
    }
    return walk;
  }

  @Test
  void contiguous_events_beyond_the_state_are_accepted_once() {
    LogWalk walk = walk(1, 2, false, event(1, 2), event(1, 3), event(1, 3), event(1, 4));
    assertThat(walk.accepted()).containsExactly(1, 3);
    assertThat(walk.broken()).isFalse();
  }

  @Test
  void behind_a_gap_nothing_is_accepted_until_it_is_filled() {
    assertThat(walk(1, 0, false, event(1, 2), event(1, 1), event(1, 3)).accepted())
        .containsExactly(1);
    assertThat(walk(1, 0, false, event(1, 2), event(1, 1), event(1, 2)).accepted())
        .containsExactly(1, 2);
  }

  @Test
  void a_marker_revokes_what_lies_above_its_base() {
    LogWalk walk =
        walk(1, 0, false, event(1, 1), event(1, 2), event(1, 3), marker(2, 1), event(2, 2));
    assertThat(walk.accepted()).containsExactly(0, 4);
  }

  @Test
  void records_of_older_epochs_are_ignored() {
    LogWalk walk =
        walk(1, 0, false, event(1, 1), marker(3, 1), event(1, 2), marker(2, 0), event(3, 2));
    assertThat(walk.accepted()).containsExactly(0, 4);
    assertThat(walk.highestEpoch()).isEqualTo(3);
    assertThat(walk.broken()).isFalse();
  }

  @Test
  void an_event_whose_marker_is_gone_breaks_the_walk() {
    LogWalk strict = walk(0, 0, false, event(2, 7), event(2, 8));
    assertThat(strict.broken()).isTrue();
    assertThat(strict.accepted()).isEmpty();
    assertThat(walk(0, 0, true, event(2, 7), event(2, 8)).accepted()).containsExactly(0, 1);
  }

  @Test
  void a_state_that_holds_what_was_revoked_breaks_the_walk() {
    assertThat(walk(1, 5, false, marker(2, 3)).broken()).isTrue();
    assertThat(walk(2, 5, false, marker(2, 3)).broken()).isFalse();
  }

  @Test
  void what_was_folded_before_a_marker_must_be_there() {
    assertThat(walk(0, 0, false, marker(6, 100, 100)).broken()).isTrue();
    assertThat(walk(5, 99, false, marker(6, 100, 100)).broken()).isTrue();
    assertThat(walk(5, 100, false, marker(6, 100, 100)).broken()).isFalse();
    assertThat(walk(1, 0, false, event(1, 1), event(1, 2), marker(2, 2, 2)).broken()).isFalse();
    assertThat(walk(1, 0, false, event(1, 1), event(1, 3), marker(2, 3, 2)).broken()).isTrue();
  }

  @Test
  void what_was_only_accepted_before_a_marker_may_come_after_it() {
    LogWalk walk = walk(5, 95, false, marker(6, 100, 95), event(6, 96), event(6, 97));
    assertThat(walk.broken()).isFalse();
    assertThat(walk.numbers()).containsExactly(96, 97);
  }

  /** The topic was lost while the lane was about to fold again what an earlier life had folded. */
  @Test
  void what_was_folded_before_a_marker_may_be_sent_again_after_it() {
    assertThat(walk(0, 0, false, marker(6, 3, 2), event(6, 1)).broken()).isTrue();
    assertThat(walk(0, 0, false, marker(6, 3, 2), event(6, 1), event(6, 2)).broken()).isFalse();
    assertThat(walk(0, 0, false, marker(6, 3, 2), event(6, 2), event(6, 3)).broken()).isTrue();
  }

  /** The fold went on from 1, which only the lost topic had; of an entry sent again 1 came late. */
  @Test
  void what_the_log_shows_to_be_folded_after_a_marker_must_be_there_too() {
    assertThat(
            walk(0, 0, false, marker(6, 9, 1), event(6, 2), event(6, 3), event(6, 1), event(6, 2))
                .broken())
        .isTrue();
    assertThat(walk(0, 0, false, marker(6, 9, 1), event(6, 1), event(6, 2), event(6, 3)).broken())
        .isFalse();
  }

  @Test
  void what_the_log_has_in_order_may_have_been_folded() {
    assertThat(folded(8, 12, event(1, 9), event(1, 10), event(1, 12))).isEqualTo(10);
    assertThat(folded(8, 8, event(1, 9), event(1, 10), marker(2, 10, 8))).isEqualTo(10);
    assertThat(folded(8, 8, event(0, 9))).isEqualTo(8);
    assertThat(folded(8, 8, marker(2, 12, 11), event(2, 12))).isEqualTo(12);
    assertThat(folded(8, 12, event(1, 9), marker(2, 0, 3)))
        .as("after an accepted loss numbers name other events")
        .isEqualTo(3);
  }

  private static long folded(long folded, long seq, LogRecord... log) {
    return walked(new LogWalk(1, folded, seq, false), log).folded();
  }

  @Test
  void a_marker_that_the_state_is_past_tells_it_nothing() {
    LogWalk walk = walk(6, 50, false, marker(6, 100, 100), marker(5, 90, 90));
    assertThat(walk.broken()).isFalse();
    assertThat(walk.anchored()).isFalse();
  }

  @Test
  void the_epoch_and_the_anchor_of_a_walk_are_those_of_its_markers() {
    assertThat(walk(5, 0, false, event(5, 1)).epoch()).isEqualTo(5);
    assertThat(walk(5, 0, false, event(5, 1)).anchored()).isFalse();
    assertThat(walk(5, 0, false, marker(8, 0)).epoch()).isEqualTo(8);
    assertThat(walk(5, 0, false, marker(8, 0)).anchored()).isTrue();
  }

  /** Its marker has base 0: the numbers before it name other events. */
  @Test
  void to_an_accepted_loss_no_earlier_state_leads_on() {
    assertThat(walk(5, 80, false, marker(7, 0, 60)).broken()).isTrue();
    assertThat(walk(0, 0, false, event(0, 1), marker(7, 0, 1)).broken()).isTrue();
    LogWalk fromNothing = walk(0, 0, false, event(0, 1), marker(7, 0, 0), event(7, 1));
    assertThat(fromNothing.broken()).isFalse();
    assertThat(fromNothing.accepted()).containsExactly(2);
  }

  @Test
  void a_lenient_walk_ignores_older_epochs_too() {
    assertThat(walk(1, 0, true, marker(6, 0), event(4, 5), event(6, 1)).accepted())
        .containsExactly(2);
  }

  @Test
  void a_lenient_walk_revokes_too() {
    assertThat(walk(0, 0, true, event(2, 7), event(2, 8), marker(3, 7), event(3, 8)).accepted())
        .containsExactly(0, 3);
  }
}
