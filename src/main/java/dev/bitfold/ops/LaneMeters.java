package dev.bitfold.ops;

import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.LaneStatus;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/**
 * Gauges of the lanes: how many stand how, and for each how far its fold is behind. A lane that
 * another instance owns has no value here.
 */
@Component
class LaneMeters implements MeterBinder {

  private final OwnedLanes owned;
  private final Lanes lanes;
  private final Clock clock;

  LaneMeters(OwnedLanes owned, Lanes lanes, Clock clock) {
    this.owned = owned;
    this.lanes = lanes;
    this.clock = clock;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    for (LaneState state : LaneState.values()) {
      Gauge.builder("bitfold.lane.owned", owned, known -> known.in(state).size())
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .description("Lanes owned by this instance")
          .register(meters);
    }
    for (Lane lane : lanes.all()) {
      gauge(meters, "bitfold.outbox.length", "Events accepted and not yet folded", lane, this::lag);
      gauge(
          meters, "bitfold.lane.lag.seconds", "Age of the oldest unfolded event", lane, this::age);
    }
  }

  private double lag(LaneStatus status) {
    return status.progress().lag();
  }

  private double age(LaneStatus status) {
    Instant oldest = status.progress().oldest();
    return oldest == null ? 0 : Duration.between(oldest, clock.instant()).toMillis() / 1000.0;
  }

  private void gauge(
      MeterRegistry meters,
      String name,
      String description,
      Lane lane,
      ToDoubleFunction<LaneStatus> value) {
    Gauge.builder(
            name, owned, known -> known.status(lane).map(value::applyAsDouble).orElse(Double.NaN))
        .tag("lane", lane.toString())
        .description(description)
        .register(meters);
  }
}
