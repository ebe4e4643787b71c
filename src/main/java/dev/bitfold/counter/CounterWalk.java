package dev.bitfold.counter;

import dev.bitfold.metric.Lane;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * A walk over all counters of some lanes, a page at a time. Whatever has a counter from the
 * beginning of the walk to its end is shown, perhaps more than once. One thread.
 */
public final class CounterWalk {

  private final PageScript script;
  private final Deque<Lane> lanes;
  private PageCursor cursor = new PageCursor();

  CounterWalk(PageScript script, Collection<Lane> lanes) {
    this.script = script;
    this.lanes = new ArrayDeque<>(lanes);
  }

  public boolean ended() {
    return lanes.isEmpty();
  }

  /** Names of the entities in the next page. After a failure the walk stands where it stood. */
  public List<String> next() {
    PageScript.Page page = script.run(lanes.element(), cursor.digest());
    cursor.looked(page.pages());
    if (cursor.ended()) {
      lanes.remove();
      cursor = new PageCursor();
    }
    return page.entities();
  }
}
