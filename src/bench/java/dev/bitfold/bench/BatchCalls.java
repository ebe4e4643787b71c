package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
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

/** Batches beside what Redis can do at most, and whether the pipeline keeps up with them. */
final class BatchCalls implements Section {

  private static final int COUNTERS = 100;
  private static final int TOGGLES = 200;
  private static final double LEAST_COUNTERS = 0.4;
  private static final double LEAST_TOGGLES = 0.25;
  private static final int KEEP_UP_TIMES = 4;

  /** A backlog of less than this many seconds of toggles is bounded, whatever it does. */
  private static final double SMALL_SECONDS = 1;

  /** How much larger the backlog may be at the end than in the middle. */
  private static final double FLAT = 1.3;

  @Override
  public String name() {
    return "batch";
  }

  @Override
  public void run(Bench bench) {
    try (LoadGenerator load = bench.load(bench.form().batchConnections())) {
      reads(bench, load);
      Requests toggles = bench.calls(4).batchToggles(bench.entities(), TOGGLES);
      double limit = toggles(bench, load, toggles);
      keepUp(bench, load, toggles, limit);
    }
  }

  private static void reads(Bench bench, LoadGenerator load) {
    bench.report().section("Batch read of " + COUNTERS);
    Row limit = RawRedis.gets("(d) pipelined GET", bench);
    Requests requests = bench.calls(3).batchReads(bench.entities(), COUNTERS);
    Row ours = Row.closed(SingleCalls.OURS, load, requests, COUNTERS);
    Map<String, Sample> rates = compare(bench, "counters", List.of(limit, ours), "batch-read");
    Sample read = rates.get(ours.name());
    double ratio = read.rate() / rates.get(limit.name()).rate();
    bench.report().atLeast("batch-read: part of (d)", LEAST_COUNTERS, ratio, read.valid());
  }

  /** Answers what Redis can do. */
  private static double toggles(Bench bench, LoadGenerator load, Requests requests) {
    bench.report().section("Batch toggle of " + TOGGLES);
    Row limit = RawRedis.toggles("(d) pipelined toggle script", bench, 1);
    Row grouped =
        RawRedis.toggles("(d) with %d toggles of a lane a call".formatted(TOGGLES), bench, TOGGLES);
    Row ours =
        Row.closed(SingleCalls.OURS, load, requests, TOGGLES)
            .then(bench.deployment()::awaitSettled);
    return compare(bench, "toggles", List.of(limit, grouped, ours), "batch-toggle")
        .get(limit.name())
        .rate();
  }

  /** The first row is the limit. */
  private static Map<String, Sample> compare(
      Bench bench, String things, List<Row> rows, String plot) {
    Map<String, Sample> rates = Row.byTurns(rows, bench.form().rounds(), bench.form().time(1));
    double limit = rates.get(rows.get(0).name()).rate();
    List<List<String>> table = new ArrayList<>();
    Map<String, Double> bars = new LinkedHashMap<>();
    rates.forEach(
        (row, sample) -> {
          table.add(
              List.of(
                  row,
                  count(sample.rate()),
                  ratio(sample.rate() / limit),
                  percent(sample.errors())));
          bars.put(row, sample.rate());
        });
    bench.report().text("Closed loop, %d connections.".formatted(bench.form().batchConnections()));
    bench.report().table(List.of("row", things + "/s", "of (d)", "errors"), table);
    Charts.bars(plot, things + "/s", bars, bench.report());
    return rates;
  }

  /** Toggles without a pause; what counts is how many are in their counters, not accepted. */
  private static void keepUp(Bench bench, LoadGenerator load, Requests requests, double limit) {
    Load done;
    long drained;
    double middle;
    double end;
    long most;
    try (BacklogWatch watch = new BacklogWatch(bench.deployment().backlog)) {
      done = load.closed(requests, bench.form().time(KEEP_UP_TIMES));
      middle = watch.third(1);
      end = watch.third(2);
      most = watch.most();
      long over = System.nanoTime();
      bench.deployment().awaitSettled();
      drained = System.nanoTime() - over;
    }
    double rate = done.rate() * TOGGLES;
    double counted = rate * done.nanos() / (done.nanos() + drained);
    bench
        .report()
        .text(
            ("Without a pause for %.0f s: %s toggles/s accepted, %s/s counted (until the last was in"
                    + " its counter, %.1f s later); at most %s events not folded, %s on average in"
                    + " the middle third and %s in the last; errors %s.")
                .formatted(
                    done.nanos() / 1e9,
                    count(rate),
                    count(counted),
                    drained / 1e9,
                    count(most),
                    count(middle),
                    count(end),
                    percent(done.errorRatio())));
    boolean valid = Sample.of(done, 1).valid();
    bench
        .report()
        .atLeast("batch-toggle, counted: part of (d)", LEAST_TOGGLES, counted / limit, valid);
    boolean bounded = most < SMALL_SECONDS * rate || end <= FLAT * middle;
    bench
        .report()
        .target(
            "batch-toggle: the pipeline keeps up",
            "outbox bounded",
            "%s events at most".formatted(count(most)),
            bounded && valid);
  }
}
