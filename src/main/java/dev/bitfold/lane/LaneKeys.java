package dev.bitfold.lane;

import dev.bitfold.metric.Entity;
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
   * Hash: open mark, epoch, seq, offset, topic, claim of a recovery, audit lines written. Lives as
   * long as the lane.
   */
  public static byte[] lane(Lane lane) {
    return bytes("lane:" + lane.tag());
  }

  /** Hash: channel to last number folded. Lives as long as the lane. */
  public static byte[] folded(Lane lane) {
    return bytes("folded:" + lane.tag());
  }

  /** String: totals of an entity, {@link Schema#counterBytes} long; absent if all are zero. */
  public static byte[] counter(Lane lane, Schema schema, Entity entity) {
    return bytes("cnt:" + lane.tag() + ":" + schema.version() + ":" + entity);
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
