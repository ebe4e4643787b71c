package dev.bitfold.sim;

import dev.bitfold.metric.Event;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the lane has ever folded, and what was in the log when Redis forgot, kept outside all
 * stores. No recovery may lose any of it in silence; a loss that was accepted starts it over with
 * what is left.
 */
final class History {

  private final TreeMap<Long, String> changes = new TreeMap<>();
  private final TreeMap<Long, String> logged = new TreeMap<>();
  private Set<String> before = new TreeSet<>();
  private long last;

  /** The fold took an event. An event that is folded again must be the one it was. */
  void folded(Event event) {
    same(event, changes.putIfAbsent(event.seq(), change(event)));
    same(event, logged.get(event.seq()));
    last = Math.max(last, event.seq());
  }

  /** Redis forgets, and the fold would have taken the event next: the log has it. */
  void logged(Event event) {
    same(event, logged.put(event.seq(), change(event)));
  }

  /** The log is gone: what was only there cannot come back. */
  void logIsLost() {
    logged.clear();
  }

  private static void same(Event event, @Nullable String known) {
    if (known != null && !known.equals(change(event))) {
      throw new LaneSimulation.Wrong(
          "silently lost: number " + event.seq() + " was " + known + ", is " + change(event));
    }
  }

  /** A lane was opened and nobody was told of a loss. */
  void recovered(long seq) {
    long needed = Math.max(last, logged.isEmpty() ? 0 : logged.lastKey());
    if (seq < needed) {
      throw new LaneSimulation.Wrong(
          "silently lost: " + needed + " was folded or in the log, seq is " + seq);
    }
  }

  /** A loss was accepted: these are the facts that are folded now. */
  void startOver(long folded, Set<String> facts) {
    changes.clear();
    logged.clear();
    before = facts;
    last = folded;
  }

  /** The facts that everything folded makes. */
  Set<String> facts() {
    Set<String> facts = new TreeSet<>(before);
    changes.values().forEach(change -> apply(change, facts));
    return facts;
  }

  static String fact(String entity, String metric, long user) {
    return entity + " " + metric + " " + user;
  }

  /** Takes an event back out of facts it is in. */
  static void undo(Event event, Set<String> facts) {
    String fact = fact(event.entity().toString(), event.metric().name(), event.userId());
    if (event.delta() > 0) {
      facts.remove(fact);
    } else {
      facts.add(fact);
    }
  }

  private static String change(Event event) {
    return (event.delta() > 0 ? "+" : "-")
        + fact(event.entity().toString(), event.metric().name(), event.userId());
  }

  private static void apply(String change, Set<String> facts) {
    if (change.startsWith("+")) {
      facts.add(change.substring(1));
    } else {
      facts.remove(change.substring(1));
    }
  }
}
