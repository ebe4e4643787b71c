package dev.bitfold.fact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.TestRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How facts are kept: {@code fact/shards.inc.lua}, and {@code fact/changes.inc.lua}. */
@ExtendWith(InvariantExtension.class)
class ShardsIT {

  private static final Entity POST = new Entity("post", "42");
  private static final long CHUNK = 32_768;
  private static final int LIMIT = 8;

  private LaneRig rig = LaneRig.open(LIMIT, LaneRig.PAGE_COUNTERS);
  private LaneView view = new LaneView(rig);

  @Test
  void few_users_are_one_small_set_whatever_their_ids() {
    like(1, 2, CHUNK, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
    assertThat(users())
        .containsExactly(
            1L, 2L, CHUNK, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE);
  }

  @Test
  void set_that_would_outgrow_its_limit_is_split_in_halves_between_chunks() {
    for (int i = 0; i < LIMIT; i++) {
      like(i * CHUNK + i);
    }
    assertThat(view.factKeys(POST)).hasSize(1);
    like(LIMIT * CHUNK);
    assertThat(view.factKeys(POST))
        .containsExactly(
            "ids:{3}:like:post:42", "ids:{3}:like:post:42:4", "shards:{3}:like:post:42");
    assertThat(users()).hasSize(LIMIT + 1);
  }

  @Test
  void dense_chunk_becomes_a_bitmap_and_what_comes_after_it_a_set() {
    like(LongStream.range(CHUNK, CHUNK + LIMIT + 1).toArray());
    like(5 * CHUNK, 1);
    assertThat(view.factKeys(POST))
        .containsExactly(
            "bm:{3}:like:post:42:1",
            "ids:{3}:like:post:42", "ids:{3}:like:post:42:2", "shards:{3}:like:post:42");
  }

  @Test
  void bitmap_has_all_its_bytes_at_once_and_no_more() {
    like(LongStream.range(0, LIMIT + 1).toArray());
    assertThat(
            RedisReplies.await(
                rig.redis.commands().strlen(LaneKeys.bytes("bm:{3}:like:post:42:0"))))
        .isEqualTo(4096);
  }

  @Test
  void forms_go_back_when_users_go() {
    long[] dense = LongStream.range(CHUNK, CHUNK + LIMIT + 1).toArray();
    like(dense);
    like(7, 3 * CHUNK, 1L << 60);
    for (int i = 0; i < dense.length - 2; i++) {
      unlike(dense[i]);
    }
    assertThat(view.factKeys(POST)).noneMatch(key -> key.startsWith("bm:"));
    unlike(7, 3 * CHUNK);
    assertThat(users()).containsExactly(CHUNK + LIMIT - 1, CHUNK + LIMIT, 1L << 60);
    assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
    unlike(CHUNK + LIMIT - 1, CHUNK + LIMIT, 1L << 60);
    assertThat(view.factKeys(POST)).isEmpty();
  }

  @Test
  void taking_back_and_forth_at_a_limit_moves_nothing() {
    for (int i = 0; i <= LIMIT; i++) {
      like(i * CHUNK);
    }
    List<String> keys = view.factKeys(POST);
    for (int i = 0; i < 5; i++) {
      unlike(CHUNK);
      assertThat(view.factKeys(POST)).isEqualTo(keys);
      like(CHUNK);
      assertThat(view.factKeys(POST)).isEqualTo(keys);
    }
  }

  @Test
  void bitmap_is_one_until_half_of_its_limit_is_left() {
    like(LongStream.range(CHUNK, CHUNK + LIMIT + 1).toArray());
    List<String> keys = view.factKeys(POST);
    for (long user = CHUNK + LIMIT; user > CHUNK + LIMIT / 2; user--) {
      assertThat(view.factKeys(POST)).isEqualTo(keys).contains("bm:{3}:like:post:42:1");
      goesAndComes(user);
      unlike(user);
    }
    unlike(CHUNK + LIMIT / 2);
    assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
  }

  @Test
  void bitmap_that_became_a_set_is_one_until_it_is_full_again() {
    like(LongStream.range(CHUNK, CHUNK + LIMIT + 1).toArray());
    unlike(LongStream.range(CHUNK + LIMIT / 2, CHUNK + LIMIT + 1).toArray());
    for (long user = CHUNK + LIMIT / 2; user < CHUNK + LIMIT; user++) {
      assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
      like(user);
      goesAndComes(user);
    }
    like(CHUNK + LIMIT);
    assertThat(view.factKeys(POST)).contains("bm:{3}:like:post:42:1");
  }

  @Test
  void sets_that_were_joined_are_one_until_they_are_full_again() {
    LongStream.rangeClosed(0, LIMIT).forEach(chunk -> like(chunk * CHUNK + 1));
    assertThat(view.factKeys(POST)).hasSize(3);
    LongStream.range(0, LIMIT / 2 - 2).forEach(chunk -> unlike(chunk * CHUNK + 1));
    assertThat(view.factKeys(POST)).hasSize(3);
    LongStream.range(LIMIT / 2 + 2, LIMIT + 1).forEach(chunk -> unlike(chunk * CHUNK + 1));
    assertThat(users()).hasSize(LIMIT / 2);
    for (long chunk = LIMIT; chunk < LIMIT + LIMIT / 2; chunk++) {
      assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
      goesAndComes(chunk * CHUNK - 1);
    }
    like(LongStream.range(0, LIMIT / 2).map(i -> (LIMIT + i) * CHUNK).toArray());
    assertThat(view.factKeys(POST)).hasSize(1);
    like(3 * LIMIT * CHUNK);
    assertThat(view.factKeys(POST)).hasSize(3);
  }

  private void goesAndComes(long user) {
    List<String> keys = view.factKeys(POST);
    boolean there = users().contains(user);
    for (int i = 0; i < 3; i++) {
      rig.toggle(POST, LaneRig.LIKE, user, !there);
      assertThat(view.factKeys(POST)).isEqualTo(keys);
      rig.toggle(POST, LaneRig.LIKE, user, there);
      assertThat(view.factKeys(POST)).isEqualTo(keys);
    }
  }

  @Test
  void largest_ids_are_split_where_their_chunks_begin() {
    long right = (1L << 48) - LIMIT / 2 - 1; // of one more than the limit, the larger part
    for (int i = 0; i <= LIMIT; i++) {
      like(Long.MAX_VALUE - i * CHUNK); // the last user of each chunk
    }
    assertThat(view.factKeys(POST))
        .containsExactly(
            "ids:{3}:like:post:42", "ids:{3}:like:post:42:" + right, "shards:{3}:like:post:42");
    long first = right * CHUNK;
    like(first);
    assertThat(members("ids:{3}:like:post:42")).contains(first - 1).doesNotContain(first);
    assertThat(members("ids:{3}:like:post:42:" + right))
        .contains(first, Long.MAX_VALUE)
        .doesNotContain(first - 1);
  }

  private List<Long> members(String key) {
    return RedisReplies.await(rig.redis.commands().smembers(LaneKeys.bytes(key))).stream()
        .map(user -> Long.valueOf(LaneKeys.text(user)))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000, 1L << 38, (1L << 48) - 1})
  void users_of_a_bitmap_are_themselves_again_in_a_set(long chunk) {
    long[] users = LongStream.range(1, LIMIT + 2).map(bit -> chunk * CHUNK + 3_640 * bit).toArray();
    like(users);
    assertThat(view.factKeys(POST)).contains("bm:{3}:like:post:42:" + chunk);
    unlike(Arrays.copyOfRange(users, 0, LIMIT - 2));
    assertThat(view.factKeys(POST)).containsExactly("ids:{3}:like:post:42");
    assertThat(users())
        .containsExactly(users[LIMIT - 2], users[LIMIT - 1], users[LIMIT])
        .allSatisfy(user -> assertThat(user >>> 15).isEqualTo(chunk));
  }

  @Test
  void full_shard_with_most_users_in_one_chunk_is_not_split_again_and_again() {
    like(LongStream.range(CHUNK, CHUNK + LIMIT - 1).toArray());
    like(7);
    RedisReplies.await(rig.redis.commands().configResetstat());
    for (int i = 0; i < 20; i++) {
      like(2 * CHUNK);
      unlike(7);
      like(7);
      unlike(2 * CHUNK);
    }
    assertThat(RedisReplies.await(rig.redis.commands().info("commandstats")))
        .contains("cmdstat_smembers:calls=1,")
        .doesNotContain("cmdstat_sunionstore");
  }

  @Test
  void walk_goes_on_past_shards_that_are_lost() {
    rig = LaneRig.open(1, LaneRig.PAGE_COUNTERS);
    view = new LaneView(rig);
    like(1, CHUNK, 2 * CHUNK, 3 * CHUNK, 4 * CHUNK, 5 * CHUNK);
    List<String> shards =
        view.factKeys(POST).stream().filter(key -> key.matches("(ids|bm):.*:[123]")).toList();
    shards.forEach(key -> RedisReplies.await(rig.redis.commands().del(LaneKeys.bytes(key))));
    assertThat(shards).hasSize(3);
    Step step = walk("first");
    while (step instanceof Step.More) {
      step = walk("next");
    }
    assertThat(((Step.Done) step).totals().of(LaneRig.LIKE)).isEqualTo(3);
    TestRedis.empty();
  }

  @Test
  void last_but_a_lost_shard_goes_with_its_event() {
    rig = LaneRig.open(2, LaneRig.PAGE_COUNTERS);
    view = new LaneView(rig);
    like(1, 5 * CHUNK, 6 * CHUNK);
    byte[] last = LaneKeys.bytes("ids:{3}:like:post:42:5");
    assertThat(RedisReplies.await(rig.redis.commands().del(last))).isEqualTo(1);
    assertThat(rig.toggle(POST, LaneRig.LIKE, 1, false).changes()).containsExactly(Change.CHANGED);
    assertThat(view.factKeys(POST)).isEmpty();
    TestRedis.empty();
  }

  @Test
  void bitmaps_of_an_earlier_version_are_dense_shards() {
    for (long chunk : new long[] {1, 3}) {
      String number = Long.toString(chunk);
      RedisReplies.await(
          rig.redis
              .commands()
              .zadd(LaneKeys.bytes("shards:{3}:like:post:42"), chunk, LaneKeys.bytes(number)));
      RedisReplies.await(
          rig.redis.commands().setbit(LaneKeys.bytes("bm:{3}:like:post:42:" + number), 5, 1));
    }
    assertThat(rig.toggle(POST, LaneRig.LIKE, CHUNK + 5, true).changed()).isZero();
    like(1, 2 * CHUNK, 9 * CHUNK);
    assertThat(users()).containsExactly(1L, CHUNK + 5, 2 * CHUNK, 3 * CHUNK + 5, 9 * CHUNK);
    like(CHUNK + 6, 3 * CHUNK + 6); // whoever comes sees how few they are
    assertThat(view.factKeys(POST)).noneMatch(key -> key.startsWith("bm:"));
    unlike(CHUNK + 5, 3 * CHUNK + 5);
    assertThat(users()).containsExactly(1L, CHUNK + 6, 2 * CHUNK, 3 * CHUNK + 6, 9 * CHUNK);
  }

  /** Where the users of a random schedule come from. */
  enum Population {
    DENSE(3 * CHUNK),
    MIXED(40 * CHUNK),
    SPARSE(Long.MAX_VALUE);

    private final long users;

    Population(long users) {
      this.users = users;
    }

    long user(Random random) {
      return switch (random.nextInt(5)) {
        case 0 -> 1 + random.nextLong(users - 1) / CHUNK * CHUNK; // ends and beginnings of chunks
        case 1 -> Math.max(1, random.nextLong(users) / CHUNK * CHUNK);
        case 2 -> 1 + random.nextInt(30);
        default -> 1 + random.nextLong(users - 1);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatever_comes_and_goes_the_facts_are_those_of_a_plain_set(Population population) {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int limit : new int[] {1, 2, 3, 5, 12}) {
      rig = LaneRig.open(limit, LaneRig.PAGE_COUNTERS);
      view = new LaneView(rig);
      TreeSet<Long> model = new TreeSet<>();
      for (int i = 0; i < 600; i++) {
        boolean grow = i % 300 < 150 ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
        long user =
            grow || model.isEmpty()
                ? population.user(random)
                : new ArrayList<>(model).get(random.nextInt(model.size()));
        boolean changed = grow ? model.add(user) : model.remove(user);
        assertThat(rig.toggle(POST, LaneRig.LIKE, user, grow).changed())
            .as("-Dseed=%d, limit %d, step %d, user %d", seed, limit, i, user)
            .isEqualTo(changed ? 1 : 0);
        if (i % 20 == 0) {
          assertThat(users()).as("-Dseed=%d, limit %d", seed, limit).isEqualTo(List.copyOf(model));
          assertThat(Invariant.violations(rig.redis, LaneRig.LANE)).isEmpty();
          counted(model.size());
        }
      }
      model.forEach(this::unlike);
      assertThat(view.factKeys(POST)).as("-Dseed=%d, limit %d", seed, limit).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 12})
  void walk_counts_each_fact_once_however_shards_are_split_and_joined_meanwhile(int limit) {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      rig = LaneRig.open(limit, LaneRig.PAGE_COUNTERS);
      view = new LaneView(rig);
      toggles(random, 120, 3);
      Step step = walk("first");
      for (int i = 0; step instanceof Step.More; i++) {
        toggles(random, 12, i % 2 == 0 ? 1 : 3);
        step = walk("next");
      }
      assertThat(((Step.Done) step).totals().of(LaneRig.LIKE))
          .as("-Dseed=%d, round %d", seed, round)
          .isEqualTo(users().size());
    }
  }

  private void toggles(Random random, int times, int inFour) {
    for (int i = 0; i < times; i++) {
      long user = 1 + random.nextInt(20) * CHUNK + random.nextInt(3);
      rig.toggle(POST, LaneRig.LIKE, user, random.nextInt(4) < inFour);
    }
  }

  private Step walk(String position) {
    return RedisReplies.await(
        position.equals("first")
            ? rig.rebuild.first(LaneRig.LANE, POST, "walker", Mode.FORCE, LaneRig.steps(2))
            : rig.rebuild.next(LaneRig.LANE, POST, "walker", Mode.FORCE, LaneRig.steps(2)));
  }

  private void counted(long facts) {
    assertThat(
            RedisReplies.await(
                new CountScript(rig.scripts)
                    .run(LaneRig.LANE, POST, List.of(LaneRig.LIKE), LaneRig.NO_LIMIT)))
        .contains(Map.<Metric, Long>of(LaneRig.LIKE, facts));
  }

  private List<Long> users() {
    return view.users("like", POST);
  }

  private void like(long... users) {
    for (long user : users) {
      assertThat(rig.toggle(POST, LaneRig.LIKE, user, true).changed()).isEqualTo(1);
    }
  }

  private void unlike(long... users) {
    for (long user : users) {
      assertThat(rig.toggle(POST, LaneRig.LIKE, user, false).changed()).isEqualTo(1);
    }
  }
}
