package dev.bitfold.fact;

/** What a toggle did to its fact. */
public enum Change {
  CHANGED,
  UNCHANGED,

  /** It could not be applied, because keys of its facts are damaged. */
  FAILED;

  /** Reads a digit of a script. */
  static Change of(int digit) {
    return switch (digit) {
      case '1' -> CHANGED;
      case '0' -> UNCHANGED;
      default -> FAILED;
    };
  }
}
