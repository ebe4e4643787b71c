package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
import static dev.bitfold.bench.Report.millis;
import static dev.bitfold.bench.Report.percent;
import static dev.bitfold.bench.Report.ratio;

import dev.bitfold.bench.Row.Sample;
import dev.bitfold.bench.load.Load;
import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.bench.load.Requests;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Single calls beside the same calls to what a team would use instead: how many in a closed loop,
 * and how fast in an open one at a rate that all can sustain.
 */
final class SingleCalls implements Section {

  static final String OURS = "Bitfold";
  static final String EMPTY = "(a) empty";
  static final String HOME_MADE = "(b) home-made";
  static final String SQL = "(c) SQL";

  private static final String EMPTY_POST = "(a) empty, POST with a body";
  private static final double PART_OF_SLOWEST = 0.5;
  private static final int LATENCY_ROUNDS = 4;
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  private final String name;
  private final double least;

  /**
   * A section.
   *
   * @param name {@code read} or {@code toggle}
   * @param least target: part of the rate of the empty endpoint
   */
  SingleCalls(String name, double least) {
    this.name = name;
    this.least = least;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Bench bench) {
    Map<String, Requests> calls = name.equals("read") ? reads(bench) : toggles(bench);
    bench.report().section("Single " + name);
    Map<String, Sample> rates = throughput(bench, calls);
    latency(bench, calls, rates);
  }

  private Map<String, Requests> reads(Bench bench) {
    Map<String, Requests> calls = new LinkedHashMap<>();
    Calls source = bench.calls(1);
    calls.put(EMPTY, source.reads(Bench.EMPTY, bench.entities()));
    calls.put(OURS, source.reads(Bench.READ, bench.entities()));
    calls.put(HOME_MADE, source.reads(Bench.HOME_MADE, bench.entities()));
    calls.put(SQL, source.reads(Bench.SQL, bench.entities()));
    return calls;
  }

  private Map<String, Requests> toggles(Bench bench) {
    Map<String, Requests> calls = new LinkedHashMap<>();
    Calls source = bench.calls(2);
    calls.put(EMPTY, source.reads(Bench.EMPTY, bench.entities()));
    calls.put(EMPTY_POST, source.toggles(Bench.EMPTY, bench.entities()));
    calls.put(OURS, source.toggles(Bench.ACT, bench.entities()));
    calls.put(HOME_MADE, source.toggles(Bench.HOME_MADE, bench.entities()));
    calls.put(SQL, source.toggles(Bench.SQL, bench.entities()));
    return calls;
  }

  private Map<String, Sample> throughput(Bench bench, Map<String, Requests> calls) {
    Map<String, Sample> rates;
    CpuTime cpu = new CpuTime(bench.deployment());
    try (LoadGenerator load = bench.load(bench.form().connections())) {
      List<Row> rows = new ArrayList<>();
      calls.forEach(
          (row, requests) ->
              rows.add(
                  cpu.counted(
                      Row.closed(row, load, requests, 1).then(bench.deployment()::awaitSettled))));
      rates = Row.byTurns(rows, bench.form().rounds(), bench.form().time(1));
    }
    double ceiling = rates.get(EMPTY).rate();
    List<List<String>> table = new ArrayList<>();
    rates.forEach(
        (row, sample) ->
            table.add(
                List.of(
                    row,
                    count(sample.rate()),
                    ratio(sample.rate() / ceiling),
                    percent(sample.errors()))));
    bench.report().text("Closed loop, %d connections.".formatted(bench.form().connections()));
    bench.report().table(List.of("row", "requests/s", "of (a)", "errors"), table);
    costs(bench.report(), cpu.names(), rates);
    Map<String, Double> bars = new LinkedHashMap<>();
    rates.forEach((row, sample) -> bars.put(row, sample.rate()));
    Charts.bars("throughput-" + name, "requests/s", bars, bench.report());
    Sample ours = rates.get(OURS);
    bench
        .report()
        .atLeast(
            "single " + name + ": part of (a)",
            least,
            ours.rate() / ceiling,
            ours.valid() && rates.get(EMPTY).valid());
    return rates;
  }

  private static void costs(Report report, List<String> processes, Map<String, Sample> rates) {
    List<String> header = new ArrayList<>(List.of("processor time a call, µs"));
    header.addAll(processes);
    header.add("all");
    List<List<String>> table = new ArrayList<>();
    rates.forEach(
        (row, sample) -> {
          List<String> cells = new ArrayList<>(List.of(row));
          processes.forEach(process -> cells.add(count(sample.micros().get(process))));
          cells.add(
              count(sample.micros().values().stream().mapToDouble(Double::doubleValue).sum()));
          table.add(cells);
        });
    report.text("What that takes, the way to the counter included:");
    report.table(header, table);
  }

  private void latency(Bench bench, Map<String, Requests> calls, Map<String, Sample> rates) {
    double slowest = rates.values().stream().mapToDouble(Sample::rate).min().orElseThrow();
    double rate = Math.max(1, PART_OF_SLOWEST * slowest);
    Map<String, Load> loads = new LinkedHashMap<>();
    try (LoadGenerator load = bench.load(bench.form().openConnections())) {
      for (int round = 0; round < LATENCY_ROUNDS; round++) {
        calls.forEach(
            (row, requests) -> {
              Load part = load.open(requests, rate, bench.form().time(0.5));
              loads.merge(row, part, (one, other) -> one.plus(other, false));
              bench.deployment().awaitSettled();
            });
      }
    }
    List<List<String>> table = new ArrayList<>();
    loads.forEach((row, load) -> table.add(percentiles(row, load)));
    bench
        .report()
        .text(
            "Open loop, %s requests/s: latency in milliseconds from the time a request was due."
                .formatted(count(rate)));
    bench.report().table(List.of("row", "p50", "p90", "p99", "p99.9", "errors"), table);
    Load ours = loads.get(OURS);
    for (String other : List.of(HOME_MADE, SQL)) {
      behind(bench.report(), ours, other, loads.get(other));
    }
    Charts.latencies("latency-" + name, loads, bench.report());
  }

  private static List<String> percentiles(String row, Load load) {
    List<String> cells = new ArrayList<>(List.of(row));
    for (double percentile : PERCENTILES) {
      cells.add(millis(load.millis(percentile)));
    }
    cells.add(percent(load.errorRatio()));
    return cells;
  }

  private void behind(Report report, Load ours, String other, Load theirs) {
    List<String> behind = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if (ours.millis(percentile) > theirs.millis(percentile)) {
        behind.add("p" + (percentile % 1 == 0 ? Long.toString((long) percentile) : percentile));
      }
    }
    report.target(
        "single " + name + ": latency beside " + other,
        "ahead at every percentile",
        behind.isEmpty() ? "ahead" : "behind at " + String.join(", ", behind),
        behind.isEmpty() && ours.errorRatio() <= theirs.errorRatio());
  }
}
