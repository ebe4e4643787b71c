package dev.bitfold.outbox;

/**
 * What a round did for one lane.
 *
 * @param sent events acknowledged by Kafka
 * @param failed events that were not, and those behind them
 * @param wentBack whether everything unfolded will be sent again
 */
record RelayResult(int sent, int failed, boolean wentBack) {

  boolean idle() {
    return sent == 0 && failed == 0;
  }
}
