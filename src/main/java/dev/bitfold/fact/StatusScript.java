package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The caller of {@code fact/status.lua}. */
final class StatusScript {

  private static final LuaScript SCRIPT = LuaScript.load("fact/status");

  private final LaneScripts scripts;

  StatusScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** Whether the user has the metric on each entity of a lane: entity by entity, in their order. */
  CompletionStage<List<Boolean>> run(
      Lane lane, long userId, List<Entity> entities, List<Metric> metrics) {
    List<String> args = new ArrayList<>(1 + 2 * entities.size() * metrics.size());
    args.add(Long.toString(userId));
    for (Entity entity : entities) {
      for (Metric metric : metrics) {
        args.add(entity.toString());
        args.add(metric.name());
      }
    }
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, reply));
  }

  private static List<Boolean> read(Lane lane, Reply reply) {
    if (reply.is("CLOSED")) {
      throw new LaneClosedException(lane);
    }
    return reply.text(1).chars().mapToObj(digit -> digit == '1').toList();
  }
}
