package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
import static dev.bitfold.bench.Report.percent;
import static dev.bitfold.bench.Report.ratio;

import dev.bitfold.bench.Row.Sample;
import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.bench.load.Requests;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** All entities alike, some more wanted than others, and one that everybody wants. */
final class Shapes implements Section {

  private static final String SPREAD = "spread";
  private static final String HOT = "one hot entity";
  private static final double EXPONENT = 0.99;
  private static final double LEAST = 0.8;

  @Override
  public String name() {
    return "shapes";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("Which entities");
    Map<String, Pick> picks = new LinkedHashMap<>();
    picks.put(SPREAD, bench.entities());
    picks.put("Zipf " + EXPONENT, Pick.zipf(bench.form().entities(), EXPONENT));
    picks.put(HOT, Pick.one(0));
    try (LoadGenerator load = bench.load(bench.form().connections())) {
      measure(bench, load, "read", picks, pick -> bench.calls(8).reads(Bench.READ, pick));
      measure(bench, load, "toggle", picks, pick -> bench.calls(9).toggles(Bench.ACT, pick));
    }
  }

  private static void measure(
      Bench bench,
      LoadGenerator load,
      String call,
      Map<String, Pick> picks,
      Function<Pick, Requests> requests) {
    List<Row> rows = new ArrayList<>();
    picks.forEach(
        (name, pick) ->
            rows.add(
                Row.closed(name, load, requests.apply(pick), 1)
                    .then(bench.deployment()::awaitSettled)));
    Map<String, Sample> rates = Row.byTurns(rows, bench.form().rounds(), bench.form().time(0.5));
    double spread = rates.get(SPREAD).rate();
    List<List<String>> table = new ArrayList<>();
    rates.forEach(
        (name, sample) ->
            table.add(
                List.of(
                    name,
                    count(sample.rate()),
                    ratio(sample.rate() / spread),
                    percent(sample.errors()))));
    bench.report().table(List.of(call, "requests/s", "of spread", "errors"), table);
    Sample hot = rates.get(HOT);
    bench
        .report()
        .atLeast(
            "one hot entity, " + call + ": part of spread",
            LEAST,
            hot.rate() / spread,
            hot.valid());
  }
}
