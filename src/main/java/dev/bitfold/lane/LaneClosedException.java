package dev.bitfold.lane;

import dev.bitfold.metric.Lane;
import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** The lane is not open in this life of its Redis; it opens again by itself. */
public class LaneClosedException extends ApiException {

  private final Lane lane;

  public LaneClosedException(Lane lane) {
    super(ProblemCode.LANE_CLOSED, "lane " + lane + " is closed");
    this.lane = lane;
  }

  public Lane lane() {
    return lane;
  }
}
