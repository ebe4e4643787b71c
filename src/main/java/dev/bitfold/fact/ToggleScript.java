package dev.bitfold.fact;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The caller of {@code fact/toggle.lua}. */
public final class ToggleScript {

  private static final LuaScript SCRIPT = LuaScript.load("fact/toggle");

  private final LaneScripts scripts;

  public ToggleScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * What became of the toggles of one lane.
   *
   * @param epoch epoch in which they were applied
   * @param seq last number issued in the lane then
   * @param unfolded events of the lane that waited for their fold then
   * @param changes one for each toggle, in order
   * @param failure why the first of the failed toggles failed; empty if none has
   */
  public record Applied(long epoch, long seq, long unfolded, List<Change> changes, String failure) {

    /** What became of some of them. */
    Applied part(int from, int to) {
      return new Applied(epoch, seq, unfolded, changes.subList(from, to), failure);
    }

    /** The same; fails if one of the toggles has failed. */
    Applied whole() {
      if (changes.contains(Change.FAILED)) {
        throw new RedisUnavailableException("damaged facts: " + failure, null);
      }
      return this;
    }

    public long changed() {
      return changes.stream().filter(change -> change == Change.CHANGED).count();
    }
  }

  /** Applies the toggles of a lane; fails as a whole if the lane is closed or its outbox full. */
  public CompletionStage<Applied> run(Lane lane, List<Toggle> toggles, long now, int outboxLimit) {
    List<String> args = new ArrayList<>(2 + 4 * toggles.size());
    args.add(Long.toString(now));
    args.add(Integer.toString(outboxLimit));
    toggles.forEach(toggle -> args.addAll(toggle.args()));
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, reply));
  }

  private static Applied read(Lane lane, Reply reply) {
    return switch (reply.status()) {
      case "OK" ->
          new Applied(
              reply.number(1),
              reply.number(2),
              reply.number(2) - reply.number(4),
              changes(reply.text(3)),
              reply.text(5));
      case "FULL" -> throw new OutboxFullException(lane);
      default -> throw new LaneClosedException(lane);
    };
  }

  /** Reads a digit a toggle. */
  public static List<Change> changes(String digits) {
    return digits.chars().mapToObj(Change::of).toList();
  }
}
