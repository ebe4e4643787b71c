package dev.bitfold.recover;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.platform.kafka.KafkaUnavailableException;

/** The logs of the lanes, as a recovery reads and writes them. */
public interface LaneLog {

  /** The first offset the log has and the one after its last. */
  record Range(long begin, long end) {}

  /** Takes one record of the log. */
  @FunctionalInterface
  interface Visitor {
    void visit(long offset, LogRecord record);
  }

  /** Id of the topic as it was last seen, empty if it was not yet; asks nobody. */
  String knownTopic();

  /** Id of the topic that has the logs now. A topic made anew has another one. */
  String topic() throws KafkaUnavailableException;

  Range range(Lane lane) throws KafkaUnavailableException;

  /** Shows the records of [from, to) in order, except those that are no log records. */
  void read(Lane lane, long from, long to, Visitor visitor) throws KafkaUnavailableException;

  /** Appends a marker and waits until the log has it. */
  void append(EpochMarker marker) throws KafkaUnavailableException;
}
