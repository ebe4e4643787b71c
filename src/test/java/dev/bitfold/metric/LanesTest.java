package dev.bitfold.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanesTest {

  /** Written down once: a changed hash would send every entity to another lane. */
  @Test
  void an_entity_stays_in_its_lane_for_ever() {
    Lanes lanes = new Lanes(64);
    assertThat(lanes.of(new Entity("post", "42"))).isEqualTo(new Lane(48));
    assertThat(lanes.of(new Entity("user", "7"))).isEqualTo(new Lane(52));
    assertThat(lanes.of(new Entity("comment", "a-b_c.~"))).isEqualTo(new Lane(60));
  }

  @Test
  void entities_are_spread_over_all_lanes() {
    Lanes lanes = new Lanes(64);
    Map<Lane, Long> spread =
        IntStream.range(0, 64_000)
            .mapToObj(i -> lanes.of(new Entity("post", Integer.toString(i))))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(spread).hasSize(64);
    assertThat(spread.values()).allSatisfy(count -> assertThat(count).isBetween(800L, 1200L));
  }
}
