package dev.bitfold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** counter + bucket + unfolded events above the floor = facts, for every entity of a lane. */
public final class Invariant {

  private static final String SCRIPT = read();

  private Invariant() {}

  /** Every violation in the lane, seen in one atomic step. */
  public static List<String> violations(RedisNodes redis, Lane lane) {
    List<byte[]> lines =
        RedisReplies.await(
            redis
                .commands()
                .eval(SCRIPT, ScriptOutputType.MULTI, new byte[][] {LaneKeys.lane(lane)}, NO_ARGS));
    return lines.stream().map(LaneKeys::text).toList();
  }

  public static void holds(RedisNodes redis, Collection<Lane> lanes) {
    for (Lane lane : lanes) {
      assertThat(violations(redis, lane)).as("invariant of lane %s", lane).isEmpty();
    }
  }

  private static final byte[][] NO_ARGS = new byte[0][];

  private static String read() {
    try (InputStream in = Invariant.class.getResourceAsStream("/invariant.lua")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
