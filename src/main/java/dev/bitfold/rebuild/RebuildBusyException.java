package dev.bitfold.rebuild;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** Somebody else is rebuilding the counter and has not finished in time. */
public class RebuildBusyException extends ApiException {

  RebuildBusyException(Entity entity) {
    super(ProblemCode.REBUILD_BUSY, "the counter of " + entity + " is being rebuilt");
  }
}
