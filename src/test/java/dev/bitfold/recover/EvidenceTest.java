package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Schema;
import dev.bitfold.recover.ClaimScript.Claim.Claimed;
import dev.bitfold.recover.LaneEpochs.Opened;
import dev.bitfold.recover.LaneLog.Range;
import org.junit.jupiter.api.Test;

class EvidenceTest {

  private static final String SAME = "topic-1";
  private static final String OTHER = "topic-2";
  private static final Claimed NOTHING = new Claimed(0, 0, 0, 0, "", 0, 0);
  private static final Claimed STATE = new Claimed(5, 100, 100, 40, SAME, 0, 100);
  private static final Claimed KEPT = new Claimed(5, 100, 100, 40, SAME, 5, 100);

  private static boolean opens(
      Claimed state, Opened opened, String topic, Range range, EpochMarker... markers) {
    LogWalk walk = new LogWalk(state.epoch(), state.folded(), state.before(), false);
    for (EpochMarker marker : markers) {
      walk.take(0, marker);
    }
    return new Evidence(state, opened, topic, range).doubt(walk).isEmpty();
  }

  private static Event event(long seq) {
    return new Event(
        5,
        new Lane(0),
        seq,
        new Entity("post", "1"),
        Schema.CONTENT.toggle("like").orElseThrow(),
        1,
        1,
        0);
  }

  private static EpochMarker marker(long epoch, long base, long folded) {
    return new EpochMarker(epoch, new Lane(0), base, folded);
  }

  @Test
  void a_lane_that_never_was_opens() {
    assertThat(opens(NOTHING, new Opened(0, 0), SAME, new Range(0, 0))).isTrue();
  }

  @Test
  void a_lane_that_was_open_does_not_begin_from_nothing() {
    assertThat(opens(NOTHING, new Opened(5, 0), OTHER, new Range(0, 0))).isFalse();
    assertThat(opens(NOTHING, new Opened(5, 0), OTHER, new Range(0, 1), marker(5, 0, 0))).isTrue();
    assertThat(opens(NOTHING, new Opened(5, 0), OTHER, new Range(0, 1), marker(6, 0, 0))).isTrue();
  }

  @Test
  void from_nothing_a_log_must_have_its_first_record() {
    assertThat(opens(NOTHING, new Opened(0, 0), SAME, new Range(900, 900))).isFalse();
    assertThat(opens(NOTHING, new Opened(5, 0), SAME, new Range(900, 901), marker(5, 9, 9)))
        .isFalse();
  }

  @Test
  void the_log_of_the_state_leads_on_from_its_offset() {
    assertThat(opens(STATE, new Opened(5, 0), SAME, new Range(40, 40))).isTrue();
    assertThat(opens(STATE, new Opened(5, 0), SAME, new Range(0, 90))).isTrue();
    assertThat(opens(STATE, new Opened(5, 0), SAME, new Range(41, 90))).isFalse();
    assertThat(opens(STATE, new Opened(5, 0), SAME, new Range(0, 39))).isFalse();
  }

  @Test
  void a_later_opening_must_be_in_the_log() {
    assertThat(opens(STATE, new Opened(6, 0), SAME, new Range(0, 90))).isFalse();
    assertThat(opens(STATE, new Opened(6, 0), SAME, new Range(0, 90), marker(6, 100, 90))).isTrue();
  }

  @Test
  void another_topic_says_nothing_of_what_another_life_has_forgotten() {
    assertThat(opens(STATE, new Opened(5, 0), OTHER, new Range(0, 0))).isFalse();
  }

  @Test
  void a_marker_in_another_topic_tells_how_much_there_had_to_be() {
    Opened opened = new Opened(6, 0);
    assertThat(opens(STATE, opened, OTHER, new Range(0, 1), marker(6, 100, 100))).isTrue();
    assertThat(opens(STATE, opened, OTHER, new Range(0, 1), marker(6, 101, 101))).isFalse();
    assertThat(opens(NOTHING, opened, OTHER, new Range(0, 1), marker(6, 100, 100))).isFalse();
  }

  @Test
  void a_state_that_redis_has_kept_needs_no_log() {
    assertThat(opens(KEPT, new Opened(5, 0), OTHER, new Range(0, 0))).isTrue();
    assertThat(opens(KEPT, new Opened(5, 0), OTHER, new Range(70, 80))).isTrue();
  }

  @Test
  void a_state_kept_by_a_redis_that_was_replaced_is_not_enough() {
    assertThat(opens(KEPT, new Opened(6, 0), OTHER, new Range(0, 0))).isFalse();
  }

  @Test
  void after_an_accepted_loss_no_earlier_state_is_enough() {
    assertThat(opens(STATE, new Opened(7, 7), SAME, new Range(0, 90), marker(7, 100, 90)))
        .isFalse();
    assertThat(opens(STATE, new Opened(9, 5), SAME, new Range(0, 90), marker(9, 100, 90))).isTrue();
  }

  @Test
  void what_was_applied_again_must_still_stand_in_the_log() {
    Claimed half = new Claimed(5, 100, 90, 40, SAME, 0, 98);
    LogWalk walk = new LogWalk(5, 98, 98, false);
    Evidence evidence = new Evidence(half, new Opened(5, 0), SAME, new Range(0, 90));
    assertThat(evidence.doubt(walk)).isPresent();
    walk.take(50, event(99));
    walk.take(51, event(100));
    assertThat(evidence.doubt(walk)).isEmpty();
    walk.take(52, marker(6, 99, 90));
    assertThat(evidence.doubt(walk)).isPresent();
  }

  @Test
  void the_log_is_read_from_the_offset_that_means_something_in_it() {
    assertThat(new Evidence(STATE, new Opened(5, 0), SAME, new Range(0, 90)).from()).isEqualTo(40);
    assertThat(new Evidence(STATE, new Opened(5, 0), SAME, new Range(50, 90)).from()).isEqualTo(50);
    assertThat(new Evidence(STATE, new Opened(5, 0), SAME, new Range(0, 39)).from()).isZero();
    assertThat(new Evidence(STATE, new Opened(5, 0), OTHER, new Range(3, 90)).from()).isEqualTo(3);
  }
}
