package dev.bitfold.read;

import dev.bitfold.counter.Counters;
import dev.bitfold.counter.Totals;
import dev.bitfold.fact.Facts;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.read.Reading.Source;
import dev.bitfold.rebuild.Rebuilds;
import dev.bitfold.rebuild.Repair.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The front door of all reads: never answers zero for a counter that is missing. */
public class CounterReads {

  private final Counters counters;
  private final Rebuilds rebuilds;
  private final Facts facts;
  private final Lanes lanes;
  private final Schema schema;
  private final Map<Source, Counter> read = new EnumMap<>(Source.class);

  CounterReads(
      Counters counters,
      Rebuilds rebuilds,
      Facts facts,
      Lanes lanes,
      Vocabulary vocabulary,
      MeterRegistry meters) {
    this.counters = counters;
    this.rebuilds = rebuilds;
    this.facts = facts;
    this.lanes = lanes;
    this.schema = vocabulary.schema();
    for (Source source : Source.values()) {
      read.put(
          source,
          meters.counter(
              "bitfold.read.counters", "source", source.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** The counters in the order asked. */
  public List<Reading> read(List<Entity> entities) {
    List<Optional<Totals>> found = counters.get(entities);
    List<Entity> missing = new ArrayList<>();
    for (int i = 0; i < entities.size(); i++) {
      if (found.get(i).isEmpty()) {
        missing.add(entities.get(i));
      }
    }
    List<Reading> repaired = missing.isEmpty() ? List.of() : repair(missing);
    List<Reading> readings = new ArrayList<>(entities.size());
    int next = 0;
    for (Optional<Totals> totals : found) {
      Reading reading =
          totals.isPresent() ? new Reading(totals.get(), Source.FRESH) : repaired.get(next++);
      readings.add(reading);
      read.get(reading.source()).increment();
    }
    return readings;
  }

  /** The facts counted now, whatever the counter says. */
  public Totals exact(Entity entity) {
    return facts
        .count(entity, schema.toggles())
        .map(this::totals)
        .orElseGet(() -> rebuilds.force(entity));
  }

  private List<Reading> repair(List<Entity> entities) {
    try {
      return rebuilds.missing(entities).stream()
          .map(
              repair ->
                  new Reading(
                      repair.totals(),
                      repair.outcome() == Outcome.REBUILT ? Source.REBUILT : Source.FRESH))
          .toList();
    } catch (LaneClosedException closed) {
      return degraded(entities);
    }
  }

  /** Perhaps they are not missing, but Redis has come back with other pages than before. */
  private List<Reading> degraded(List<Entity> entities) {
    entities.forEach(counters::lookAgain);
    List<Optional<Totals>> found = counters.get(entities);
    return IntStream.range(0, entities.size())
        .mapToObj(
            i ->
                found
                    .get(i)
                    .map(totals -> new Reading(totals, Source.FRESH))
                    .orElseGet(() -> new Reading(counted(entities.get(i)), Source.DEGRADED)))
        .toList();
  }

  private Totals counted(Entity entity) {
    return facts
        .count(entity, schema.toggles())
        .map(this::totals)
        .orElseThrow(() -> new LaneClosedException(lanes.of(entity)));
  }

  private Totals totals(Map<Metric, Long> counts) {
    return new Totals(
        schema.metrics().stream().map(metric -> counts.getOrDefault(metric, 0L)).toList());
  }
}
