package dev.bitfold.metric;

/** A value from outside that the vocabulary does not allow. Nothing was changed. */
public class InvalidInput extends RuntimeException {

  /** Why it is not allowed. */
  public enum Reason {
    UNKNOWN_ENTITY_TYPE,
    UNKNOWN_METRIC,
    INVALID_ENTITY_ID,
    INVALID_USER_ID,
    UNKNOWN_ACTION,
    BATCH_SIZE,
    INVALID_PARAMETER,
  }

  private final Reason reason;
  private final String field;

  public InvalidInput(Reason reason, String field, String rule) {
    super(field + " " + rule);
    this.reason = reason;
    this.field = field;
  }

  public Reason reason() {
    return reason;
  }

  /** Where the value stood in the input. */
  public String field() {
    return field;
  }
}
