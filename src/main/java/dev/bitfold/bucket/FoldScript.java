package dev.bitfold.bucket;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The caller of {@code bucket/fold.lua}. */
public final class FoldScript {

  private static final LuaScript SCRIPT = LuaScript.load("bucket/fold");

  private final LaneScripts scripts;

  public FoldScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * A stretch of a lane's partition.
   *
   * @param from offset it was read from
   * @param next offset after it
   * @param logStart first offset the log is known to have still
   */
  public record Batch(long from, long next, long logStart, List<Event> events) {}

  /** What became of a batch. */
  public sealed interface Fold {

    /**
     * It is in the buckets, each event once.
     *
     * @param folded last number folded now
     * @param offset offset to go on from
     * @param stale events of another epoch
     * @param floored events that a rebuild had counted already
     */
    record Folded(
        long folded,
        long offset,
        long applied,
        long duplicates,
        long gaps,
        long stale,
        long floored)
        implements Fold {}

    /** It starts beyond the stored offset and was refused. */
    record Beyond(long offset) implements Fold {}

    /** The lane is closed. */
    record Closed() implements Fold {}
  }

  public Fold run(Lane lane, Batch batch) {
    return RedisReplies.await(start(lane, batch));
  }

  CompletionStage<Fold> start(Lane lane, Batch batch) {
    List<String> args = new ArrayList<>(3 + 5 * batch.events().size());
    args.add(Long.toString(batch.from()));
    args.add(Long.toString(batch.next()));
    args.add(Long.toString(batch.logStart()));
    for (Event event : batch.events()) {
      args.add(Long.toString(event.epoch()));
      args.add(Long.toString(event.seq()));
      args.add(event.entity().toString());
      args.add(Integer.toString(event.metric().index()));
      args.add(Integer.toString(event.delta()));
    }
    return scripts.runAsync(SCRIPT, lane, args).thenApply(FoldScript::read);
  }

  private static Fold read(Reply reply) {
    return switch (reply.status()) {
      case "OK" ->
          new Fold.Folded(
              reply.number(1),
              reply.number(2),
              reply.number(3),
              reply.number(4),
              reply.number(5),
              reply.number(6),
              reply.number(7));
      case "BEYOND" -> new Fold.Beyond(reply.number(1));
      default -> new Fold.Closed();
    };
  }
}
