package dev.bitfold.platform.web;

import org.jspecify.annotations.Nullable;

/** A failure that callers can tell by its code. */
public abstract class ApiException extends RuntimeException {

  private final ProblemCode code;

  protected ApiException(ProblemCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  protected ApiException(ProblemCode code, String message) {
    this(code, message, null);
  }

  public ProblemCode code() {
    return code;
  }
}
