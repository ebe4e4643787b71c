package dev.bitfold.recover;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.List;

/** The caller of {@code recover/open.lua}. */
public final class OpenScript {

  private static final LuaScript SCRIPT = LuaScript.load("recover/open");

  private final LaneScripts scripts;

  public OpenScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** What came of opening a lane. */
  public enum Opening {
    OPEN,
    /** The claim is lost, or the lane stands elsewhere than the marker says. */
    STALE
  }

  /**
   * Opens the lane; its fold goes on from the offset.
   *
   * @param folded last number that any life of Redis may have folded
   */
  public Opening run(Lane lane, long claimed, long base, String topic, long offset, long folded) {
    Reply reply =
        scripts.run(
            SCRIPT,
            lane,
            List.of(
                Long.toString(claimed),
                Long.toString(base),
                topic,
                Long.toString(offset),
                Long.toString(folded)));
    return reply.is("OK") ? Opening.OPEN : Opening.STALE;
  }
}
