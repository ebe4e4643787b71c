package dev.bitfold.fact;

import dev.bitfold.metric.Lane;
import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** The lane has as many unfolded events as it may hold; nothing was changed. */
public class OutboxFullException extends ApiException {

  OutboxFullException(Lane lane) {
    super(ProblemCode.OUTBOX_FULL, "the outbox of lane " + lane + " is full");
  }
}
