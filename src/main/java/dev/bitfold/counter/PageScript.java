package dev.bitfold.counter;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.List;

/** The caller of {@code counter/page.lua}. */
final class PageScript {

  private static final LuaScript SCRIPT = LuaScript.load("counter/page");

  private final LaneScripts scripts;

  PageScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * A page of counters.
   *
   * @param pages how many pages the lane has
   * @param entities names of those that have a counter in it; none if the page cannot be read
   */
  record Page(int pages, List<String> entities) {}

  Page run(Lane lane, int digest) {
    Reply reply = scripts.run(SCRIPT, lane, List.of(Integer.toUnsignedString(digest)));
    return new Page(
        (int) reply.number(1),
        reply.list(2).stream().map(name -> LaneKeys.text((byte[]) name)).toList());
  }
}
