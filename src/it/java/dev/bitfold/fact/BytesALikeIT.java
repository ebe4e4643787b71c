package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.ManyLikes;
import dev.bitfold.testkit.RedisMemory;
import dev.bitfold.testkit.Users;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a like costs in Redis at rest, everything included: facts, directory, counter, lane. Bytes
 * are the same on every machine, so they may be held to a limit.
 */
class BytesALikeIT {

  private static final int SHARD_IDS = 512; // the default
  private static final int PAGE_COUNTERS = 40; // the default
  private static final int MOST = 12;
  private static final int MOST_OF_TEN = 40;

  private final LaneRig rig = LaneRig.open(SHARD_IDS, PAGE_COUNTERS);
  private final ManyLikes likes = new ManyLikes(rig);
  private final Random random = new Random(1);

  static Stream<Arguments> cases() {
    return Stream.of(Users.values())
        .flatMap(
            users ->
                Stream.of(
                    Arguments.of(users, 10, 1000),
                    Arguments.of(users, 100, 100),
                    Arguments.of(users, 300, 30),
                    Arguments.of(users, 1000, 10),
                    Arguments.of(users, 3000, 3),
                    Arguments.of(users, 10_000, 1),
                    Arguments.of(users, 17_000, 1), // of a million: where bitmaps begin
                    Arguments.of(users, 100_000, 1)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_like_takes_a_few_bytes(Users users, int count, int entities) {
    for (int i = 0; i < entities; i++) {
      likes.add(new Entity("post", Integer.toString(10_000_000 + i)), users.some(count, random));
    }
    double bytes = new RedisMemory(rig.redis).ofKeys() / (double) (count * entities);
    System.out.printf(Locale.ROOT, "%,9d likes %-15s %6.2f bytes a like%n", count, users, bytes);
    assertThat(bytes).isLessThan(count == 10 ? MOST_OF_TEN : MOST);
  }
}
