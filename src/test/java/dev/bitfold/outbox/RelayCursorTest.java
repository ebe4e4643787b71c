package dev.bitfold.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneStatus.Progress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When everything unfolded is sent again; the fold is to move within ten seconds. */
class RelayCursorTest {

  private static final long ACCEPTED = 100;

  private final RelayCursor cursor = new RelayCursor(Duration.ofSeconds(10), at(0));

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private boolean goesBack(long folded, long offset, long second) {
    return cursor.goesBack(new Progress(1, ACCEPTED, folded, offset, null), at(second));
  }

  @BeforeEach
  void sends_twenty_events_that_the_log_has_up_to_offset_519() {
    goesBack(0, 0, 0);
    cursor.acknowledged(10, 509);
    cursor.acknowledged(20, 519);
  }

  @Test
  void lane_whose_event_was_lost_rests_half_a_second() {
    assertThat(cursor.rests(at(7))).isFalse();
    cursor.lost(at(7));
    assertThat(cursor.rests(at(7).plusMillis(499))).isTrue();
    assertThat(cursor.rests(at(7).plusMillis(500))).isFalse();
  }

  @Test
  void fold_that_takes_events_is_left_alone() {
    assertThat(goesBack(5, 505, 9)).isFalse();
    assertThat(goesBack(6, 506, 18)).isFalse();
    assertThat(cursor.sent()).isEqualTo(20);
  }

  @Test
  void fold_that_is_busy_with_older_records_is_waited_for() {
    for (int second = 1; second < 500; second++) {
      assertThat(goesBack(0, second, second)).isFalse();
    }
  }

  @Test
  void fold_that_read_past_what_was_sent_and_did_not_take_it_gets_it_again() {
    assertThat(goesBack(5, 510, 1)).as("it may be of two minds for a moment").isFalse();
    assertThat(goesBack(5, 600, 9)).isFalse();
    assertThat(goesBack(5, 700, 12)).as("although it reads on").isTrue();
    assertThat(cursor.sent()).isEqualTo(5);
  }

  @Test
  void fold_that_has_taken_the_first_run_is_not_held_to_it() {
    assertThat(goesBack(10, 510, 1)).isFalse();
    for (int second = 2; second < 400; second++) {
      assertThat(goesBack(10, 510 + second % 10, second)).as("519 comes next").isFalse();
    }
  }

  @Test
  void fold_that_stands_still_gets_everything_again_less_and_less_often() {
    assertThat(goesBack(0, 0, 10)).isFalse();
    assertThat(goesBack(0, 0, 11)).isTrue();
    assertThat(cursor.sent()).isZero();
    cursor.acknowledged(20, 539);
    assertThat(goesBack(0, 0, 20)).isFalse();
    assertThat(goesBack(0, 0, 22)).as("the second time after twenty").isTrue();
    cursor.acknowledged(20, 559);
    assertThat(goesBack(0, 0, 39)).isFalse();
    assertThat(goesBack(0, 0, 41)).as("the third time after forty").isTrue();
  }

  @Test
  void fold_that_has_moved_is_waited_for_as_at_first() {
    assertThat(goesBack(0, 0, 11)).isTrue();
    cursor.acknowledged(20, 539);
    assertThat(goesBack(0, 0, 22)).isTrue();
    cursor.acknowledged(20, 559);
    assertThat(goesBack(5, 100, 30)).isFalse();
    assertThat(goesBack(5, 100, 41)).isTrue();
  }

  @Test
  void fold_that_stands_still_for_ever_is_sent_to_now_and_then() {
    int times = 0;
    for (int second = 1; second < 3600; second++) {
      if (goesBack(0, 0, second)) {
        times++;
      }
      cursor.acknowledged(20, 600 + second);
    }
    assertThat(times).isBetween(6, 360);
  }

  @Test
  void new_epoch_starts_over_and_is_no_going_back() {
    assertThat(cursor.goesBack(new Progress(2, ACCEPTED, 7, 600, null), at(50))).isFalse();
    assertThat(cursor.sent()).isEqualTo(7);
  }

  @Test
  void what_is_not_sent_yet_is_not_missed() {
    assertThat(goesBack(20, 520, 1)).isFalse();
    assertThat(goesBack(20, 520, 100)).isFalse();
  }
}
