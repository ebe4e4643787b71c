package dev.bitfold.flush;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.List;

/** The caller of {@code flush/flush.lua}. */
public final class FlushScript {

  private static final LuaScript SCRIPT = LuaScript.load("flush/flush");

  private final LaneScripts scripts;

  public FlushScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * What one call did.
   *
   * @param flushed counters that took their bucket
   * @param rebuilt counters made from facts
   * @param left entities still dirty
   * @param astray entities whose counter would have left its range: a bug was found
   * @param large entities whose counter has to be rebuilt in steps
   */
  public record Flushed(
      long flushed, long rebuilt, long left, List<Entity> astray, List<Entity> large) {}

  public Flushed run(Lane lane, int entities, int shards) {
    Reply reply =
        scripts.run(SCRIPT, lane, List.of(Integer.toString(entities), Integer.toString(shards)));
    if (reply.is("CLOSED")) {
      throw new LaneClosedException(lane);
    }
    return new Flushed(
        reply.number(1),
        reply.number(2),
        reply.number(3),
        entities(reply.list(4)),
        entities(reply.list(5)));
  }

  private static List<Entity> entities(List<Object> names) {
    return names.stream().map(name -> Entity.parse(LaneKeys.text((byte[]) name))).toList();
  }
}
