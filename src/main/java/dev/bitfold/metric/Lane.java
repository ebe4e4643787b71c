package dev.bitfold.metric;

/** The unit of everything: a Redis hash tag, a Kafka partition, an outbox, one owner. */
public record Lane(int number) implements Comparable<Lane> {

  /** The Redis hash tag that all keys of the lane carry. */
  public String tag() {
    return "{" + number + "}";
  }

  @Override
  public int compareTo(Lane other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Integer.toString(number);
  }
}
