package dev.bitfold.rebuild;

import java.util.Locale;

/** Why a counter was corrected: what was wrong with it. In a healthy system there is never one. */
public enum Cause {
  /** Counter, bucket and events on their way did not add up to the facts. */
  DRIFT,
  /** The counter or the bucket could not be read. */
  MALFORMED,
  /** Counter and bucket added up to a number that no counter can be. */
  ASTRAY,
  /** There was a bucket that no flush would have taken. */
  STRANDED;

  /** As written in Lua, tables, meters and HTTP. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the written form. */
  public static Cause of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
