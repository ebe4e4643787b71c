package dev.bitfold.bench;

import dev.bitfold.bench.load.Load;
import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.bench.load.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Something whose rate is measured. */
record Row(String name, Function<Duration, Sample> measure) {

  /** The JVM of the service compiles for tens of seconds: a row warms up while it gets faster. */
  private static final int MOST_WARM_UPS = 8;

  private static final double FASTER = 1.05;

  /**
   * What a row came to.
   *
   * @param rate things a second
   * @param errors part of the requests that failed
   * @param micros processor time of each process for a thing; empty if nobody asked
   */
  record Sample(double rate, double errors, Map<String, Double> micros) {

    private static final double MOST_ERRORS = 0.001;

    Sample(double rate, double errors) {
      this(rate, errors, Map.of());
    }

    static Sample of(Load load, int thingsPerCall) {
      return new Sample(load.rate() * thingsPerCall, load.errorRatio());
    }

    Sample with(Map<String, Double> micros) {
      return new Sample(rate, errors, micros);
    }

    /** Whether so few requests failed that the rate says something. */
    boolean valid() {
      return errors <= MOST_ERRORS;
    }
  }

  /** Calls in a closed loop, each about so many things. */
  static Row closed(String name, LoadGenerator load, Requests requests, int thingsPerCall) {
    return new Row(name, time -> Sample.of(load.closed(requests, time), thingsPerCall));
  }

  /** The same row; afterwards something is done or waited for that does not count. */
  Row then(Runnable afterwards) {
    return new Row(
        name,
        time -> {
          Sample sample = measure.apply(time);
          afterwards.run();
          return sample;
        });
  }

  /**
   * Measures rows by turns, because the machine is not equally fast all the time: rounds that warm
   * up, then so many others. Answers the median of each row.
   */
  static Map<String, Sample> byTurns(List<Row> rows, int rounds, Duration time) {
    rows.forEach(row -> row.warmUp(time));
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Row row : rows) {
        samples.computeIfAbsent(row.name, unseen -> new ArrayList<>()).add(row.measure.apply(time));
      }
    }
    Map<String, Sample> medians = new LinkedHashMap<>();
    samples.forEach((name, all) -> medians.put(name, median(all)));
    return medians;
  }

  /** Measures it for nothing while it gets faster. */
  void warmUp(Duration time) {
    double before = 0;
    double rate = measure.apply(time).rate();
    for (int round = 1; round < MOST_WARM_UPS && rate > FASTER * before; round++) {
      before = rate;
      rate = measure.apply(time).rate();
    }
  }

  /** The sample in the middle, with the errors of the worst. */
  private static Sample median(List<Sample> all) {
    Sample median =
        all.stream().sorted(Comparator.comparing(Sample::rate)).toList().get(all.size() / 2);
    double errors = all.stream().mapToDouble(Sample::errors).max().orElse(1);
    return new Sample(median.rate(), errors, median.micros());
  }
}
