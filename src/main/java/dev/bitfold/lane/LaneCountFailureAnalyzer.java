package dev.bitfold.lane;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence that the number of lanes is not that of the data. */
class LaneCountFailureAnalyzer extends AbstractFailureAnalyzer<WrongLaneCountException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, WrongLaneCountException cause) {
    return new FailureAnalysis(
        cause.getMessage(), "Set bitfold.lanes to what the data has, or use other stores.", cause);
  }
}
