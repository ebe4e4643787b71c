package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
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

  /** Whether facts of a lane hold, in their order. */
  CompletionStage<List<Boolean>> run(Lane lane, List<Fact> facts) {
    List<String> args = new ArrayList<>(3 * facts.size());
    for (Fact fact : facts) {
      args.add(fact.entity().toString());
      args.add(fact.metric().name());
      args.add(Long.toString(fact.userId()));
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
