package dev.bitfold.counter;

import dev.bitfold.metric.Metric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a counter says: one total a field, in the schema's order. */
public record Totals(List<Long> fields) {

  public Totals {
    fields = List.copyOf(fields);
  }

  public long of(Metric metric) {
    return fields.get(metric.index());
  }

  /** The totals of some metrics, by name. */
  public Map<String, Long> named(List<Metric> metrics) {
    Map<String, Long> counts = new LinkedHashMap<>();
    metrics.forEach(metric -> counts.put(metric.name(), of(metric)));
    return counts;
  }

  public boolean zero() {
    return fields.stream().allMatch(field -> field == 0);
  }
}
