package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.Callers.Wish;
import dev.bitfold.chaos.Operation.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the callers of the chaos run make of an answer. */
class CallersTest {

  private static final JsonNode NOTHING = json("{}");

  private static JsonNode json(String text) {
    return new JsonMapper().readTree(text);
  }

  @Test
  void an_answer_tells_that_the_fact_is_as_wanted() {
    Wish like = new Wish(ReachableTest.FACT, true);
    assertThat(like.granted(json("{\"changed\":true,\"liked\":true}"))).isTrue();
    assertThat(like.granted(json("{\"changed\":true,\"liked\":false}"))).isFalse();
    assertThat(like.granted(json("{\"changed\":true,\"faved\":true}"))).isFalse();
    Wish unlike = new Wish(ReachableTest.FACT, false);
    assertThat(unlike.granted(json("{\"changed\":false,\"liked\":false}"))).isTrue();
    assertThat(unlike.granted(NOTHING)).isFalse();
  }

  @Test
  void only_an_action_alone_is_certainly_not_done() {
    assertThat(outcome(false, "too_busy", true)).isEqualTo(Outcome.REFUSED);
    assertThat(outcome(false, "too_busy", false)).isEqualTo(Outcome.UNKNOWN);
    assertThat(outcome(false, "lane_closed", true)).isEqualTo(Outcome.REFUSED);
    assertThat(outcome(false, "lane_closed", false)).isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void a_durable_toggle_may_be_done_although_its_lane_is_closed() {
    assertThat(outcome(true, "lane_closed", true)).isEqualTo(Outcome.UNKNOWN);
    assertThat(outcome(true, "too_busy", true)).isEqualTo(Outcome.REFUSED);
  }

  private static Outcome outcome(boolean durable, String code, boolean alone) {
    try (Callers callers = new Callers(new People(1), List.of(), ChaosForm.SHORT, durable)) {
      return callers.outcome(code, NOTHING, alone);
    }
  }
}
