package dev.bitfold.lane;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Stores;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The number of lanes is fixed when the data is created. */
class LaneCountIT {

  @Test
  void a_start_with_another_number_of_lanes_is_refused() {
    BitfoldApp.start(Stores.shared()).close();
    assertThatThrownBy(
            () -> BitfoldApp.start(Stores.shared(), Map.of("bitfold.lanes", BitfoldApp.LANES + 1)))
        .rootCause()
        .isInstanceOf(WrongLaneCountException.class)
        .hasMessageContaining("the data in PostgreSQL has " + BitfoldApp.LANES + " lanes");
  }
}
