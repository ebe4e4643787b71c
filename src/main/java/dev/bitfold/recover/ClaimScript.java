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
     * @param topic id of the topic that the offset belongs to, empty if none
     */
    record Claimed(long epoch, long seq, long offset, String topic) implements Claim {}

    /** The lane is open; nothing is to be done. */
    record Open(long epoch, long seq, long offset) implements Claim {}

    /** Somebody has claimed it with a higher epoch. */
    record Stale(long highest) implements Claim {}
  }

  /** Claims a closed lane. Epoch 0 only asks. */
  public Claim run(Lane lane, long epoch) {
    Reply reply = scripts.run(SCRIPT, lane, List.of(Long.toString(epoch)));
    return switch (reply.status()) {
      case "OK" ->
          new Claim.Claimed(reply.number(1), reply.number(2), reply.number(3), reply.text(4));
      case "OPEN" -> new Claim.Open(reply.number(1), reply.number(2), reply.number(3));
      default -> new Claim.Stale(reply.number(1));
    };
  }
}
