package dev.bitfold.ops;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * How the lanes owned here stand. A closed lane recovers by itself and is only told; a blocked one
 * needs an operator and makes the health out of service.
 */
@Component("lanesHealthIndicator")
class LanesHealth implements HealthIndicator {

  private final OwnedLanes lanes;

  LanesHealth(OwnedLanes lanes) {
    this.lanes = lanes;
  }

  @Override
  public Health health() {
    Map<Integer, String> states = new TreeMap<>();
    lanes.all().forEach((lane, status) -> states.put(lane.number(), word(status.state())));
    Health.Builder health =
        states.containsValue(word(LaneState.BLOCKED))
            ? Health.status(Status.OUT_OF_SERVICE)
            : Health.up();
    for (LaneState state : LaneState.values()) {
      health.withDetail(word(state), lanes.in(state).size());
    }
    return health.withDetail("lanes", states).build();
  }

  private static String word(LaneState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
