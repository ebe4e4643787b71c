package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;

import dev.bitfold.platform.redis.RedisReplies;
import java.util.List;

/** What it costs to have more entities. */
final class EntityCounts implements Section {

  private static final List<Integer> COUNTS = List.of(10_000, 100_000, 1_000_000);
  private static final String FIELD = "used_memory:";

  @Override
  public String name() {
    return "entities";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("How many entities");
    Costs costs = new Costs("entities");
    Population population = new Population(bench.deployment());
    int populated = bench.form().entities();
    for (int entities : COUNTS) {
      if (entities > bench.form().mostEntities()) {
        break;
      }
      long begun = System.nanoTime();
      population.likes(populated, entities);
      double seconds = (System.nanoTime() - begun) / 1e9;
      String more =
          "%s MB, %.0f s for %s likes"
              .formatted(
                  count(memory(bench) / 1e6), seconds, count(Math.max(0, entities - populated)));
      populated = Math.max(populated, entities);
      costs.measure(bench, entities, Pick.uniform(entities), more);
    }
    costs.report(bench.report(), "Redis; first likes until counted");
  }

  /** Bytes that Redis uses. */
  private static long memory(Bench bench) {
    return RedisReplies.await(bench.deployment().redis.commands().info("memory"))
        .lines()
        .filter(line -> line.startsWith(FIELD))
        .mapToLong(line -> Long.parseLong(line.substring(FIELD.length()).strip()))
        .sum();
  }
}
