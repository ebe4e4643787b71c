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
  private int failures;

  CounterWalk(PageScript script, Collection<Lane> lanes) {
    this.script = script;
    this.lanes = new ArrayDeque<>(lanes);
  }

  public boolean ended() {
    return lanes.isEmpty();
  }

  /** Whether none of the lanes that are left could be read of late. */
  public boolean stuck() {
    return !ended() && failures >= lanes.size();
  }

  /**
   * Names of the entities in the next page. A lane that cannot be read now is gone through again
   * after all others.
   */
  public List<String> next() {
    Lane lane = lanes.remove();
    PageScript.Page page;
    try {
      page = script.run(lane, cursor.digest());
    } catch (RuntimeException notNow) {
      lanes.addLast(lane);
      cursor = new PageCursor();
      failures++;
      throw notNow;
    }
    failures = 0;
    cursor.looked(page.pages());
    if (cursor.ended()) {
      cursor = new PageCursor();
    } else {
      lanes.addFirst(lane);
    }
    return page.entities();
  }
}
