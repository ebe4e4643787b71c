package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.LuaScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The caller of {@code fact/count.lua}. */
final class CountScript {

  private static final LuaScript SCRIPT = LuaScript.load("fact/count");

  private final LaneScripts scripts;

  CountScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** The facts of each metric, or nothing if they lie in more shards than one call may count. */
  CompletionStage<Optional<Map<Metric, Long>>> run(
      Lane lane, Entity entity, List<Metric> metrics, int shardLimit) {
    List<String> args = new ArrayList<>(List.of(entity.toString(), Integer.toString(shardLimit)));
    metrics.forEach(metric -> args.add(metric.name()));
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, metrics, reply));
  }

  private static Optional<Map<Metric, Long>> read(Lane lane, List<Metric> metrics, Reply reply) {
    if (reply.is("LARGE")) {
      return Optional.empty();
    }
    if (reply.is("CLOSED")) {
      throw new LaneClosedException(lane);
    }
    Map<Metric, Long> counts = new LinkedHashMap<>();
    for (int i = 0; i < metrics.size(); i++) {
      counts.put(metrics.get(i), reply.number(i + 1));
    }
    return Optional.of(counts);
  }
}
