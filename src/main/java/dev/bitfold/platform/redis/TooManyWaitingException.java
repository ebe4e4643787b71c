package dev.bitfold.platform.redis;

import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** So much waits for Redis that the call would only make it longer; nothing was sent. */
public class TooManyWaitingException extends ApiException {

  TooManyWaitingException(String detail) {
    super(ProblemCode.TOO_BUSY, detail);
  }
}
