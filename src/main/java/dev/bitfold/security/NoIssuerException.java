package dev.bitfold.security;

/** Users come from tokens, but nobody is named who issues them. */
class NoIssuerException extends RuntimeException {

  NoIssuerException() {
    super("bitfold.identity is jwt, but nobody is named who issues tokens.");
  }
}
