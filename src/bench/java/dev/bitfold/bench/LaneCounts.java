package dev.bitfold.bench;

import java.util.List;

/** What it costs to have more lanes: the number is fixed for a deployment, so each has its own. */
final class LaneCounts {

  static final String NAME = "lanes";

  private static final List<Integer> COUNTS = List.of(16, 64, 256);

  private LaneCounts() {}

  static void run(BenchForm form, Report report) {
    report.section("How many lanes");
    Costs costs = new Costs("lanes");
    for (int lanes : COUNTS) {
      long begun = System.nanoTime();
      try (BenchDeployment deployment = BenchDeployment.start(form, lanes)) {
        String more = "%.0f s".formatted((System.nanoTime() - begun) / 1e9);
        new Population(deployment).likes(0, form.entities());
        Bench bench = new Bench(form, deployment, report);
        costs.measure(bench, lanes, bench.entities(), more);
      }
    }
    costs.report(report, "start of everything");
  }
}
