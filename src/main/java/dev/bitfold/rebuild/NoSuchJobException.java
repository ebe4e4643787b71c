package dev.bitfold.rebuild;

import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;
import java.util.UUID;

/** There is no rebuild job of that id. */
class NoSuchJobException extends ApiException {

  NoSuchJobException(UUID id) {
    super(ProblemCode.NOT_FOUND, "there is no job " + id);
  }
}
