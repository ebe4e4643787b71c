package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;
import static dev.bitfold.bench.Report.millis;
import static dev.bitfold.bench.Report.percent;

import dev.bitfold.bench.Row.Sample;
import dev.bitfold.bench.load.Load;
import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.bench.load.Requests;
import java.util.ArrayList;
import java.util.List;

/** Nine reads to a toggle at a fixed rate; if that is too much, the rate that is not. */
final class MixedLoad implements Section {

  private static final int RATE = 20_000;
  private static final int READS = 9;
  private static final double MOST_MILLIS = 10;
  private static final double REACHED = 0.99;
  private static final int TIMES = 3;
  private static final int STEPS = 5;

  private final List<List<String>> table = new ArrayList<>();

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("%d reads to a toggle, open loop".formatted(READS));
    Requests requests =
        Calls.mixed(
            bench.calls(6).reads(Bench.READ, bench.entities()),
            READS,
            bench.calls(7).toggles(Bench.ACT, bench.entities()));
    try (LoadGenerator load = bench.load(bench.form().openConnections())) {
      Row.closed("warm-up", load, requests, 1).warmUp(bench.form().time(1));
      bench.deployment().awaitSettled();
      Load asked = measure(bench, load, requests, RATE, TIMES);
      double highest = fast(asked, RATE) ? RATE : search(bench, load, requests);
      bench
          .report()
          .table(List.of("requests/s asked", "reached", "p50 ms", "p99 ms", "errors"), table);
      bench
          .report()
          .target(
              "%s requests/s, 9 reads : 1 toggle".formatted(count(RATE)),
              "p99 < 10 ms",
              fast(asked, RATE)
                  ? "p99 %s ms".formatted(millis(asked.millis(99)))
                  : "p99 %s ms; < 10 ms up to %s/s"
                      .formatted(millis(asked.millis(99)), count(highest)),
              fast(asked, RATE));
    }
  }

  private double search(Bench bench, LoadGenerator load, Requests requests) {
    double low = 0;
    double high = RATE;
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      if (fast(measure(bench, load, requests, middle, 1), middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Load measure(
      Bench bench, LoadGenerator load, Requests requests, double rate, double times) {
    Load done = load.open(requests, rate, bench.form().time(times));
    table.add(
        List.of(
            count(rate),
            count(done.rate()),
            millis(done.millis(50)),
            millis(done.millis(99)),
            percent(done.errorRatio())));
    bench.deployment().awaitSettled();
    return done;
  }

  private static boolean fast(Load load, double rate) {
    return load.millis(99) < MOST_MILLIS
        && load.rate() >= REACHED * rate
        && Sample.of(load, 1).valid();
  }
}
