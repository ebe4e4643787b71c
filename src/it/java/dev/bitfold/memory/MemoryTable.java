package dev.bitfold.memory;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.ManyLikes;
import dev.bitfold.testkit.RedisMemory;
import dev.bitfold.testkit.TestRedis;
import dev.bitfold.testkit.Users;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Measures the tables of docs/benchmarks/memory.md and prints them. It takes minutes, so it is run
 * when it is asked for: {@code mvn verify -Dit.test=MemoryTable -Dtest=NoSuch
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 *
 * <p>{@code -Dmemory.likes=} most likes of an entity, {@code -Dmemory.entities=} entities with
 * counters; a million each if not given.
 */
class MemoryTable {

  private static final int SHARD_IDS = 512; // the default
  private static final int PAGE_COUNTERS = 40; // the default
  private static final int MOST_LIKES = Integer.getInteger("memory.likes", 1_000_000);
  private static final int ENTITIES = Integer.getInteger("memory.entities", 1_000_000);
  private static final int LIKES_OF_A_CASE = 100_000;
  private static final Path REPORT = Path.of("target", "memory.md");

  private final List<String> lines = new ArrayList<>();

  @AfterEach
  void print() throws IOException {
    Files.createDirectories(REPORT.getParent());
    Files.write(REPORT, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void bytes_a_like() {
    String titles =
        Arrays.stream(LikeForm.values()).map(form -> form.title).collect(Collectors.joining(" | "));
    line("| ids of users | likes | " + titles + " | Bitfold, used_memory |");
    line("|---|---|" + "---|".repeat(LikeForm.values().length + 1));
    for (Users users : Users.values()) {
      for (int likes = 10; likes <= MOST_LIKES; likes *= 10) {
        StringBuilder row = new StringBuilder("| %s | %,d |".formatted(users.title, likes));
        Cost bitfold = null;
        for (LikeForm form : LikeForm.values()) {
          Cost cost = cost(form, users, likes);
          bitfold = bitfold == null ? cost : bitfold;
          row.append(" %s |".formatted(written(cost.ofKeys)));
        }
        line(row + " %s |".formatted(written(bitfold.used)));
      }
    }
  }

  @Test
  void bytes_an_entity() {
    List<Entity> entities =
        IntStream.range(0, ENTITIES)
            .mapToObj(i -> new Entity("post", Integer.toString(1_000_000 + i)))
            .toList();
    line("| %,d entities, five metrics | by keys | by used_memory |".formatted(ENTITIES));
    line("|---|---|---|");
    for (CounterForm form : CounterForm.values()) {
      LaneRig rig = rig();
      long before = new RedisMemory(rig.redis).used();
      Writes writes = new Writes(rig.redis);
      form.add(rig, writes, entities);
      writes.done();
      Cost cost = Cost.of(rig, before, 0, ENTITIES);
      line("| %s | %s | %s |".formatted(form.title, written(cost.ofKeys), written(cost.used)));
    }
  }

  /** Bytes of one like or one entity. */
  private record Cost(double ofKeys, double used) {

    static Cost of(LaneRig rig, long usedBefore, long outside, long number) {
      RedisMemory memory = new RedisMemory(rig.redis);
      return new Cost(
          (outside > 0 ? outside : memory.ofKeys()) / (double) number,
          (memory.used() - usedBefore) / (double) number);
    }
  }

  private static Cost cost(LikeForm form, Users users, int likes) {
    LaneRig rig = rig();
    long before = new RedisMemory(rig.redis).used();
    if (form == LikeForm.BITFOLD) {
      rig.openIn(1);
    }
    Random random = new Random(1);
    Writes writes = new Writes(rig.redis);
    int entities = Math.max(1, LIKES_OF_A_CASE / likes);
    long outside = 0;
    for (int i = 0; i < entities; i++) {
      String id = Integer.toString(1_000_000 + i);
      outside += form.add(new ManyLikes(rig), writes, id, users.some(likes, random));
    }
    writes.done();
    return Cost.of(rig, before, outside, (long) likes * entities);
  }

  /**
   * A rig on an empty Redis that has its scripts already and keeps no log: both would be in its
   * used_memory.
   */
  private static LaneRig rig() {
    RedisNodes redis = TestRedis.empty();
    RedisReplies.await(redis.commands().configSet("appendonly", "no"));
    RedisReplies.await(redis.commands().scriptFlush());
    LaneRig rig = LaneRig.open(SHARD_IDS, PAGE_COUNTERS);
    new ManyLikes(rig).add(new Entity("post", "1"), new long[] {1});
    TestRedis.empty();
    return rig;
  }

  private static String written(double bytes) {
    return String.format(Locale.ROOT, bytes < 100 ? "%.1f" : "%,.0f", bytes);
  }

  private void line(String line) {
    System.out.println(line);
    lines.add(line);
  }
}
