package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.LuaScript;
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
    ShardPlace place = ShardPlace.of(userId);
    List<String> args =
        entities.stream()
            .flatMap(
                entity ->
                    metrics.stream()
                        .flatMap(
                            metric ->
                                List.of(
                                    entity.toString(),
                                    metric.name(),
                                    Long.toString(place.chunk()),
                                    Integer.toString(place.bit()))
                                    .stream()))
            .toList();
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, reply));
  }

  private static List<Boolean> read(Lane lane, Reply reply) {
    if (reply.is("CLOSED")) {
      throw new LaneClosedException(lane);
    }
    return reply.text(1).chars().mapToObj(digit -> digit == '1').toList();
  }
}
