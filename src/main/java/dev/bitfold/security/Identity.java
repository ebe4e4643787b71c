package dev.bitfold.security;

/** Where the current user comes from. */
public enum Identity {
  /** A bearer token; the user is its subject. */
  JWT,
  /** The header X-User-Id, set by a gateway that is trusted. */
  HEADER
}
