package dev.bitfold.lane;

import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Schema;
import java.nio.charset.StandardCharsets;

/**
 * Names of the Redis keys that Java addresses itself; scripts derive all others from the lane hash.
 * Every key carries its lane as the hash tag, so all keys of a lane share a slot.
 */
public final class LaneKeys {

  /** String: number of lanes the data was created with. Never expires. */
  public static final byte[] LANES = bytes("bitfold:lanes");

  private LaneKeys() {}

  /**
   * Hash: open mark, epoch, seq, offset, topic, claim of a recovery, audit lines written, number of
   * counter pages. Lives as long as the lane.
   */
  public static byte[] lane(Lane lane) {
    return bytes("lane:" + lane.tag());
  }

  /** Hash: channel to last number folded. Lives as long as the lane. */
  public static byte[] folded(Lane lane) {
    return bytes("folded:" + lane.tag());
  }

  /**
   * Hash: a page of counters, entity to totals, {@link Schema#counterBytes} long. A counter is
   * absent if all its totals are zero, a page if it has no counter.
   */
  public static byte[] counters(Lane lane, Schema schema, int page) {
    return bytes("cnt:" + lane.tag() + ":" + schema.version() + ":" + page);
  }

  /** Stream: corrections that are not in the table yet, a bounded number. */
  public static byte[] audit(Lane lane) {
    return bytes("audit:" + lane.tag());
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
