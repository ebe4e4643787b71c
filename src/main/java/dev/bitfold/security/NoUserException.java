package dev.bitfold.security;

import dev.bitfold.platform.web.ApiException;
import dev.bitfold.platform.web.ProblemCode;

/** The request names no user. */
public class NoUserException extends ApiException {

  NoUserException(Identity identity) {
    super(
        ProblemCode.UNAUTHENTICATED,
        identity == Identity.HEADER
            ? "the header " + CurrentUser.HEADER + " is missing"
            : "a bearer token with a subject is missing");
  }
}
