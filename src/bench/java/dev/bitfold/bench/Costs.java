package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
import static dev.bitfold.bench.Report.percent;
import static dev.bitfold.bench.Report.ratio;

import dev.bitfold.bench.Row.Sample;
import dev.bitfold.bench.load.LoadGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How rates change with the size of something: a line of a table and a point of a plot for each.
 */
final class Costs {

  private static final List<String> CALLS = List.of(SingleCalls.EMPTY, "read", "toggle");

  private final String what;
  private final List<Integer> sizes = new ArrayList<>();
  private final List<List<String>> table = new ArrayList<>();
  private final Map<String, List<Double>> lines = new LinkedHashMap<>();

  Costs(String what) {
    this.what = what;
  }

  /** Measures reads and toggles, and the empty endpoint for comparison. */
  void measure(Bench bench, int size, Pick entities, String more) {
    Map<String, Sample> rates;
    try (LoadGenerator load = bench.load(bench.form().connections())) {
      Calls calls = bench.calls(100 + sizes.size());
      Row empty = Row.closed(CALLS.get(0), load, calls.reads(Bench.EMPTY, entities), 1);
      Row read = Row.closed(CALLS.get(1), load, calls.reads(Bench.READ, entities), 1);
      Row toggle = Row.closed(CALLS.get(2), load, calls.toggles(Bench.ACT, entities), 1);
      rates =
          Row.byTurns(
              List.of(empty, read, toggle.then(bench.deployment()::awaitSettled)),
              2,
              bench.form().time(0.5));
    }
    sizes.add(size);
    double ceiling = rates.get(CALLS.get(0)).rate();
    List<String> cells = new ArrayList<>(List.of(count(size)));
    for (String call : CALLS) {
      double rate = rates.get(call).rate();
      cells.add("%s (%s)".formatted(count(rate), ratio(rate / ceiling)));
      lines.computeIfAbsent(call, unseen -> new ArrayList<>()).add(rate / ceiling);
    }
    cells.add(percent(rates.values().stream().mapToDouble(Sample::errors).max().orElse(1)));
    cells.add(more);
    table.add(cells);
  }

  void report(Report report, String more) {
    List<String> header = new ArrayList<>(List.of(what));
    CALLS.forEach(call -> header.add(call + "/s (of (a))"));
    header.addAll(List.of("errors", more));
    report.table(header, table);
    Charts.lines("cost-" + what, what, "of (a)", sizes, lines, report);
  }
}
