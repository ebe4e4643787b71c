package dev.bitfold.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneStatus.Progress;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.outbox.OutboxReadScript.Read;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class OutboxReadScriptIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void empty_outbox_has_no_events_and_no_oldest() {
    assertThat(read(0, 10)).isEqualTo(new Read(new Progress(1, 0, 0, 0, null), List.of()));
  }

  @Test
  void events_carry_all_that_the_toggle_said() {
    accept(1234, Long.MAX_VALUE);
    assertThat(read(0, 10))
        .isEqualTo(
            new Read(
                new Progress(1, 1, 0, 0, Instant.ofEpochMilli(1234)),
                List.of(
                    new Event(1, LaneRig.LANE, 1, POST, LaneRig.LIKE, Long.MAX_VALUE, 1, 1234))));
  }

  @Test
  void reading_changes_nothing() {
    accept(1, 1, 2);
    var before = view.everything();
    assertThat(read(0, 10)).isEqualTo(read(0, 10));
    assertThat(view.everything()).isEqualTo(before);
  }

  @Test
  void no_more_events_than_asked_are_read_but_the_first_entry_is_read_whole() {
    accept(1, 1, 2);
    accept(2, 3);
    accept(3, 4, 5);
    assertThat(numbers(read(0, 1))).containsExactly(1L, 2L);
    assertThat(numbers(read(0, 4))).containsExactly(1L, 2L, 3L);
    assertThat(numbers(read(0, 5))).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(numbers(read(2, 1))).containsExactly(3L);
    assertThat(numbers(read(3, 1))).containsExactly(4L, 5L);
    assertThat(numbers(read(4, 1))).containsExactly(5L);
    assertThat(numbers(read(5, 2))).isEmpty();
  }

  @Test
  void reading_on_within_an_entry_gives_its_rest() {
    accept(1, 1, 2, 3);
    assertThat(numbers(read(1, 10))).containsExactly(2L, 3L);
  }

  @Test
  void folded_entries_are_not_read_again_and_oldest_is_the_first_unfolded() {
    accept(10, 1, 2);
    accept(20, 3);
    fold(2);
    assertThat(numbers(read(0, 10))).containsExactly(3L);
    assertThat(read(0, 10).progress())
        .isEqualTo(new Progress(1, 3, 2, 2, Instant.ofEpochMilli(20)));
  }

  @Test
  void half_folded_entry_is_still_the_oldest() {
    accept(10, 1, 2);
    fold(1);
    assertThat(numbers(read(1, 10))).containsExactly(2L);
    assertThat(read(1, 10).progress())
        .isEqualTo(new Progress(1, 2, 1, 1, Instant.ofEpochMilli(10)));
  }

  @Test
  void events_are_stamped_with_the_epoch_they_are_read_in() {
    accept(1, 1);
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    later.openIn(5);
    assertThat(later.outbox.run(LaneRig.LANE, 0, 10).events())
        .extracting(Event::epoch)
        .containsExactly(5L);
  }

  @Test
  void closed_lane_is_not_read() {
    accept(1, 1);
    LaneRig later = new LaneRig(rig.redis, new Life("life-2"), UnaryOperator.identity());
    assertThatThrownBy(() -> later.outbox.run(LaneRig.LANE, 0, 10))
        .isInstanceOf(LaneClosedException.class);
  }

  private Read read(long after, int events) {
    return rig.outbox.run(LaneRig.LANE, after, events);
  }

  private static List<Long> numbers(Read read) {
    return read.events().stream().map(Event::seq).toList();
  }

  private void accept(long now, long... users) {
    List<Toggle> toggles =
        Arrays.stream(users).mapToObj(user -> new Toggle(POST, LaneRig.LIKE, user, true)).toList();
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, now, LaneRig.NO_LIMIT));
  }

  /** Folds the first events of the outbox. */
  private void fold(int events) {
    rig.fold.run(LaneRig.LANE, new Batch(0, events, 0, read(0, 100).events().subList(0, events)));
  }
}
