package dev.bitfold.outbox;

/**
 * What a pass did.
 *
 * @param acknowledged events that Kafka has
 * @param lost events that it did not acknowledge, and those behind them
 * @param refused lanes of which Kafka's client did not take all events
 * @param notRead lanes whose outbox could not be read
 */
record RelayResult(int acknowledged, int lost, int refused, int notRead) {

  static final RelayResult NOTHING = new RelayResult(0, 0, 0, 0);
  static final RelayResult REFUSED = new RelayResult(0, 0, 1, 0);
  static final RelayResult NOT_READ = new RelayResult(0, 0, 0, 1);

  boolean failed() {
    return refused > 0 || notRead > 0;
  }

  RelayResult plus(RelayResult other) {
    return new RelayResult(
        acknowledged + other.acknowledged,
        lost + other.lost,
        refused + other.refused,
        notRead + other.notRead);
  }
}
