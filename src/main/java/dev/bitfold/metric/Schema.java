package dev.bitfold.metric;

import java.util.List;
import java.util.Optional;

/**
 * Names, order and width of a counter's fields. A changed list is a new version: counters of
 * different versions live under different keys.
 */
public record Schema(String version, List<Metric> metrics) {

  /** Width of a field in a counter. */
  public static final int FIELD_BYTES = 4;

  /** Counters of content. The tallies have their place and are not counted yet. */
  public static final Schema CONTENT =
      new Schema(
          "v1",
          List.of(
              new Metric("read", Kind.TALLY, 0),
              new Metric("like", Kind.TOGGLE, 1),
              new Metric("fav", Kind.TOGGLE, 2),
              new Metric("comment", Kind.TALLY, 3),
              new Metric("repost", Kind.TALLY, 4)));

  public Schema {
    metrics = List.copyOf(metrics);
  }

  /** The metrics that have facts, in the order of their fields. */
  public List<Metric> toggles() {
    return metrics.stream().filter(metric -> metric.kind() == Kind.TOGGLE).toList();
  }

  /** The toggle metric of that name. */
  public Optional<Metric> toggle(String name) {
    for (Metric metric : metrics) {
      if (metric.kind() == Kind.TOGGLE && metric.name().equals(name)) {
        return Optional.of(metric);
      }
    }
    return Optional.empty();
  }

  /** Length of a counter in bytes. */
  public int counterBytes() {
    return metrics.size() * FIELD_BYTES;
  }
}
