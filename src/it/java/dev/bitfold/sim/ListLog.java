package dev.bitfold.sim;

import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.recover.LaneLog;
import java.util.ArrayList;
import java.util.List;

/** The log of the simulated lane: a list, so that records can be late, repeated and lost. */
final class ListLog implements LaneLog {

  private final List<LogRecord> records = new ArrayList<>();
  private final Interruptions interruptions;
  private final Runnable appended;
  private int topics;
  private String known = "";

  ListLog(Interruptions interruptions, Runnable appended) {
    this.interruptions = interruptions;
    this.appended = appended;
  }

  /** What may happen before and after each step of a recovery that leaves Redis. */
  @FunctionalInterface
  interface Interruptions {
    /** Lets others act; fails if the recovery dies here. */
    void between() throws KafkaUnavailableException;
  }

  List<LogRecord> records() {
    return records;
  }

  /** Somebody looks at the topic, as the service does every few seconds. */
  void look() {
    known = now();
  }

  /** The topic is deleted and made anew. */
  void lose() {
    records.clear();
    topics++;
  }

  String now() {
    return "topic-" + topics;
  }

  @Override
  public String knownTopic() {
    return known;
  }

  @Override
  public String topic() throws KafkaUnavailableException {
    interruptions.between();
    look();
    return now();
  }

  @Override
  public Range range(Lane lane) throws KafkaUnavailableException {
    interruptions.between();
    return new Range(0, records.size());
  }

  @Override
  public void read(Lane lane, long from, long to, Visitor visitor)
      throws KafkaUnavailableException {
    interruptions.between();
    if (to > records.size()) {
      throw new KafkaUnavailableException(new IllegalStateException("the log ends before"));
    }
    for (long offset = from; offset < to; offset++) {
      visitor.visit(offset, records.get((int) offset));
    }
  }

  @Override
  public void append(EpochMarker marker) throws KafkaUnavailableException {
    interruptions.between();
    records.add(marker);
    appended.run();
    interruptions.between();
  }
}
