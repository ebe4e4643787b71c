package dev.bitfold.recover;

import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import java.util.List;

/** The caller of {@code recover/claim.lua}. */
public final class ClaimScript {

  private static final LuaScript SCRIPT = LuaScript.load("recover/claim");

  private final LaneScripts scripts;

  public ClaimScript(LaneScripts scripts) {
    this.scripts = scripts;
  }

  /** What a claim came to. */
  public sealed interface Claim {

    /**
     * The lane is ours to recover.
     *
     * @param epoch last epoch the lane was open in, 0 if none
     * @param folded last number that this life of Redis or one before may have folded; it stays so
     *     until the lane is open
     * @param topic id of the topic that the offset belongs to, empty if none
     * @param kept highest epoch claimed before, if Redis has kept the lane in one life since it was
     *     open; else 0
     * @param before seq the lane was left with when it was last open; what is above has been
     *     applied again by a recovery that did not come to its end
     */
    record Claimed(
        long epoch, long seq, long folded, long offset, String topic, long kept, long before)
        implements Claim {}

    /** The lane is open on the present topic; nothing is to be done. */
    record Open(long epoch, long seq, long offset) implements Claim {}

    /** Somebody has claimed it with a higher epoch. */
    record Stale(long highest) implements Claim {}
  }

  /**
   * Claims a lane that is closed, or open on another topic than the present one. Epoch 0 only asks;
   * an empty topic is not compared.
   */
  public Claim run(Lane lane, long epoch, String topic) {
    Reply reply = scripts.run(SCRIPT, lane, List.of(Long.toString(epoch), topic));
    return switch (reply.status()) {
      case "OK" ->
          new Claim.Claimed(
              reply.number(1),
              reply.number(2),
              reply.number(3),
              reply.number(4),
              reply.text(5),
              reply.number(6),
              reply.number(7));
      case "OPEN" -> new Claim.Open(reply.number(1), reply.number(2), reply.number(3));
      default -> new Claim.Stale(reply.number(1));
    };
  }
}
