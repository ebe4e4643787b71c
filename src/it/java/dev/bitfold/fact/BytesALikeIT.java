package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.LaneRig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletionStage;
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
  private static final int PAGE_COUNTERS = 64; // the default
  private static final int BATCH = 500;
  private static final int MOST = 12;
  private static final int MOST_OF_TEN = 40;

  /** The table has up to twice as many places of 8 bytes as there are keys. */
  private static final long MOST_OF_A_PLACE = 16;

  private final LaneRig rig = LaneRig.open(SHARD_IDS, PAGE_COUNTERS);
  private final Random random = new Random(1);

  /** Where the users come from. */
  enum Users {
    OF_A_MILLION(1_000_000),
    OF_200_MILLION(200_000_000),
    OF_63_BITS(Long.MAX_VALUE);

    private final long users;

    Users(long users) {
      this.users = users;
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of(Users.values())
        .flatMap(
            users ->
                Stream.of(
                    Arguments.of(users, 10, 2000),
                    Arguments.of(users, 100, 200),
                    Arguments.of(users, 1000, 20),
                    Arguments.of(users, 10_000, 3),
                    Arguments.of(users, 100_000, 1)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_like_takes_a_few_bytes(Users users, int likes, int entities) {
    for (int i = 0; i < entities; i++) {
      like(entity(i), users, likes);
    }
    double bytes = used() / (double) (likes * entities);
    System.out.printf(Locale.ROOT, "%,9d likes %-15s %6.2f bytes a like%n", likes, users, bytes);
    assertThat(bytes).isLessThan(likes == 10 ? MOST_OF_TEN : MOST);
  }

  private void like(Entity entity, Users users, int likes) {
    int left = likes;
    while (left > 0) {
      List<Toggle> toggles = new ArrayList<>();
      for (int i = 0; i < Math.min(left, BATCH); i++) {
        toggles.add(new Toggle(entity, LaneRig.LIKE, 1 + random.nextLong(users.users), true));
      }
      var applied =
          RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 1000, LaneRig.NO_LIMIT));
      left -= (int) applied.changed();
      rig.foldAll(rig.offset());
    }
    rig.flush.run(LaneRig.LANE, 10, LaneRig.NO_LIMIT);
  }

  private static Entity entity(int number) {
    return new Entity("post", Integer.toString(1_000_000 + number));
  }

  /** Bytes of all keys with their values, and of their places in the table of keys. */
  private long used() {
    List<byte[]> keys = RedisReplies.await(rig.redis.commands().keys("*"));
    List<CompletionStage<Long>> sizes = new ArrayList<>();
    keys.forEach(key -> sizes.add(rig.redis.commands().memoryUsage(key)));
    return sizes.stream().mapToLong(RedisReplies::await).sum() + MOST_OF_A_PLACE * keys.size();
  }
}
