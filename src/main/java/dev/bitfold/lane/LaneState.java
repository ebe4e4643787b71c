package dev.bitfold.lane;

/** How a lane stands for the instance that owns it. */
public enum LaneState {
  /** Not yet known to be open, or found closed; a recovery will look at it. */
  CLOSED,
  /** Relay, fold, flush and rebuild work on it. */
  OPEN,
  /** Cannot be opened without losing what was accepted; an operator has to decide. */
  BLOCKED
}
