package dev.bitfold.fact;

import dev.bitfold.metric.Lane;
import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** Redis has the toggle, Kafka not yet; whether it lasts is not known. Sending it again is safe. */
public class NotDurableException extends ApiException {

  NotDurableException(Lane lane) {
    super(ProblemCode.NOT_DURABLE, "lane " + lane + " is not folded yet");
  }
}
