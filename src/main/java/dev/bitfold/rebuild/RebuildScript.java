package dev.bitfold.rebuild;

import dev.bitfold.counter.Totals;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The caller of {@code rebuild/rebuild.lua}. */
public final class RebuildScript {

  private static final LuaScript SCRIPT = LuaScript.load("rebuild/rebuild");

  private final LaneScripts scripts;

  public RebuildScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** Which counters to rebuild. */
  public enum Mode {
    /** Only one that is missing or malformed. */
    MISSING("missing"),
    /** Any. */
    FORCE("force");

    private final String word;

    Mode(String word) {
      this.word = word;
    }
  }

  /** What a step came to. */
  public sealed interface Step {
    /** There was a good counter; nothing was done. */
    record Present(Totals totals) implements Step {}

    /** The counter is now what the facts say. */
    record Done(Totals totals) implements Step {}

    /** There are more shards to count. */
    record More(long shards) implements Step {}

    /** Somebody else is walking the shards. */
    record Busy() implements Step {}

    /** Somebody else has taken this walk over, or it was abandoned. */
    record Fenced() implements Step {}

    /** The facts are more than a counter can hold. */
    record Overflow() implements Step {}
  }

  /** Starts a rebuild. */
  public CompletionStage<Step> first(
      Lane lane, Entity entity, String token, Mode mode, int shards, Duration abandonedAfter) {
    return run(lane, entity, token, mode, shards, abandonedAfter, "first");
  }

  /** Goes on with the rebuild of the token. */
  public CompletionStage<Step> next(
      Lane lane, Entity entity, String token, int shards, Duration abandonedAfter) {
    return run(lane, entity, token, Mode.FORCE, shards, abandonedAfter, "next");
  }

  private CompletionStage<Step> run(
      Lane lane,
      Entity entity,
      String token,
      Mode mode,
      int shards,
      Duration abandonedAfter,
      String position) {
    List<String> args =
        List.of(
            entity.toString(),
            token,
            mode.word,
            Integer.toString(shards),
            Long.toString(abandonedAfter.toMillis()),
            position);
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, reply));
  }

  private static Step read(Lane lane, Reply reply) {
    return switch (reply.status()) {
      case "PRESENT" -> new Step.Present(totals(reply));
      case "DONE" -> new Step.Done(totals(reply));
      case "MORE" -> new Step.More(reply.number(1));
      case "BUSY" -> new Step.Busy();
      case "FENCED" -> new Step.Fenced();
      case "OVERFLOW" -> new Step.Overflow();
      default -> throw new LaneClosedException(lane);
    };
  }

  private static Totals totals(Reply reply) {
    return new Totals(reply.list(1).stream().map(Long.class::cast).toList());
  }
}
