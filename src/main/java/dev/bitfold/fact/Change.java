package dev.bitfold.fact;

/** What a toggle did to its fact. */
public enum Change {
  CHANGED,
  UNCHANGED
}
