package dev.bitfold.recover;

import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The caller of {@code recover/reapply.lua}. */
public final class ReapplyScript {

  private static final LuaScript SCRIPT = LuaScript.load("recover/reapply");

  private final LaneScripts scripts;

  public ReapplyScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** Applies events again; the seq of the lane after that, or nothing if the claim is lost. */
  public OptionalLong run(Lane lane, long claimed, long seq, long now, List<Event> events) {
    List<String> args = new ArrayList<>(3 + 4 * events.size());
    args.add(Long.toString(claimed));
    args.add(Long.toString(seq));
    args.add(Long.toString(now));
    for (Event event : events) {
      args.addAll(
          new Toggle(event.entity(), event.metric(), event.userId(), event.delta() > 0).args());
    }
    Reply reply = scripts.run(SCRIPT, lane, args);
    return reply.is("OK") ? OptionalLong.of(reply.number(1)) : OptionalLong.empty();
  }
}
