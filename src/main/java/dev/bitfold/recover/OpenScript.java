package dev.bitfold.recover;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.List;
import java.util.OptionalLong;

/** The caller of {@code recover/open.lua}. */
public final class OpenScript {

  private static final LuaScript SCRIPT = LuaScript.load("recover/open");

  private final LaneScripts scripts;

  public OpenScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Opens the lane; the offset its fold goes on from, or nothing if the claim is lost. A stored
   * offset of another topic or beyond the end of the log says nothing and becomes 0.
   */
  public OptionalLong run(Lane lane, long claimed, long base, String topic, long logEnd) {
    Reply reply =
        scripts.run(
            SCRIPT,
            lane,
            List.of(Long.toString(claimed), Long.toString(base), topic, Long.toString(logEnd)));
    return reply.is("OK") ? OptionalLong.of(reply.number(1)) : OptionalLong.empty();
  }
}
