package dev.bitfold.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.metric.Entity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InvariantExtension.class)
class InvariantExtensionIT {

  private static final Entity POST = new Entity("post", "1");

  private final LaneRig rig = LaneRig.open();
  private final LaneView view = new LaneView(rig);

  @Test
  void a_counter_that_is_not_its_facts_fails_the_test() {
    rig.toggle(POST, LaneRig.LIKE, 1, true);
    view.counter(POST, 0, 7, 0, 0, 0);
    assertThatThrownBy(InvariantExtension::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("like of post:1: counter 7 + bucket 0 + unfolded 1 is not 1 facts");
    view.lose(POST);
  }

  @Test
  void an_outbox_that_does_not_reach_seq_fails_the_test() {
    view.lane("seq", "2");
    assertThatThrownBy(InvariantExtension::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("outbox ends at 0, seq is 2");
    view.lane("seq", "0");
  }
}
