package dev.bitfold.embedded;

import org.jspecify.annotations.Nullable;

/** Why the embedded servers did not start: one sentence for people, and what to do about it. */
public final class EmbeddedStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String action;

  EmbeddedStartException(String sentence, String action) {
    this(sentence, action, null);
  }

  EmbeddedStartException(String sentence, String action, @Nullable Throwable cause) {
    super(sentence, cause);
    this.action = action;
  }

  /** What the reader can do, as one or two sentences. */
  public String action() {
    return action;
  }
}
