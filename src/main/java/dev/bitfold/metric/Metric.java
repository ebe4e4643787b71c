package dev.bitfold.metric;

/**
 * What is counted.
 *
 * @param name as written in keys, events and HTTP
 * @param index position of its field in a counter, from 0
 */
public record Metric(String name, Kind kind, int index) {

  @Override
  public String toString() {
    return name;
  }
}
