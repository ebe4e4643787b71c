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
import java.util.Optional;
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
    /** Only one that is there and is not what the facts say. */
    WRONG("wrong"),
    /** Any. */
    FORCE("force");

    private final String word;

    Mode(String word) {
      this.word = word;
    }
  }

  /**
   * How far one step may go.
   *
   * @param shards most shards it counts
   * @param abandonedAfter a walk without a step for so long is forgotten
   * @param events most events on their way that it looks at to compare
   */
  public record Limits(int shards, Duration abandonedAfter, int events) {}

  /** What a step came to. */
  public sealed interface Step {
    /** There was a good counter; nothing was done. */
    record Present(Totals totals) implements Step {}

    /** The counter is now what the facts say; nothing was found wrong with the one before. */
    record Done(Totals totals) implements Step {}

    /**
     * The counter is now what the facts say, it was wrong until now, and the audit has a line.
     *
     * @param before nothing if there was no good counter
     */
    record Corrected(Totals totals, Cause cause, Optional<Totals> before) implements Step {}

    /** The counter is what it should be, or there is none; nothing was done. */
    record Agrees() implements Step {}

    /** Too many events or lines of the audit are on their way to compare; nothing was done. */
    record Lagging() implements Step {}

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
      Lane lane, Entity entity, String token, Mode mode, Limits limits) {
    return run(lane, entity, token, mode, limits, "first");
  }

  /** Goes on with the rebuild of the token, in the mode it was started in. */
  public CompletionStage<Step> next(
      Lane lane, Entity entity, String token, Mode mode, Limits limits) {
    return run(lane, entity, token, mode, limits, "next");
  }

  private CompletionStage<Step> run(
      Lane lane, Entity entity, String token, Mode mode, Limits limits, String position) {
    List<String> args =
        List.of(
            entity.toString(),
            token,
            mode.word,
            Integer.toString(limits.shards()),
            Long.toString(limits.abandonedAfter().toMillis()),
            position,
            Integer.toString(limits.events()));
    return scripts.runAsync(SCRIPT, lane, args).thenApply(reply -> read(lane, reply));
  }

  private static Step read(Lane lane, Reply reply) {
    return switch (reply.status()) {
      case "PRESENT" -> new Step.Present(totals(reply.list(1)));
      case "DONE" -> new Step.Done(totals(reply.list(1)));
      case "CORRECTED" ->
          new Step.Corrected(totals(reply.list(1)), Cause.of(reply.text(2)), before(reply.list(3)));
      case "AGREES" -> new Step.Agrees();
      case "LAGGING" -> new Step.Lagging();
      case "MORE" -> new Step.More(reply.number(1));
      case "BUSY" -> new Step.Busy();
      case "FENCED" -> new Step.Fenced();
      case "OVERFLOW" -> new Step.Overflow();
      default -> throw new LaneClosedException(lane);
    };
  }

  private static Optional<Totals> before(List<Object> fields) {
    return fields.isEmpty() ? Optional.empty() : Optional.of(totals(fields));
  }

  private static Totals totals(List<Object> fields) {
    return new Totals(fields.stream().map(Long.class::cast).toList());
  }
}
