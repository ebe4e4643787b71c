package dev.bitfold.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.ManyCounters;
import dev.bitfold.testkit.RedisMemory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the counter of an entity costs in Redis at rest, five metrics and everything included: pages
 * and lane. Bytes are the same on every machine, so they may be held to a limit.
 */
class BytesAnEntityIT {

  private static final int SHARD_IDS = 512; // the default
  private static final int PAGE_COUNTERS = 40; // the default
  private static final int ENTITIES = 30_000;
  private static final int STEP = 2_500;
  private static final int MOST = 45;

  private final LaneRig rig = LaneRig.open(SHARD_IDS, PAGE_COUNTERS);
  private final ManyCounters counters = new ManyCounters(rig);

  @Test
  void counter_of_five_metrics_takes_few_bytes_however_many_pages_are_split() {
    for (int entities = 0; entities < ENTITIES; entities += STEP) {
      counters.add(Map.of(LaneRig.LANE, posts(entities, entities + STEP)));
      int all = entities + STEP;
      double bytes = new RedisMemory(rig.redis).ofKeys() / (double) all;
      System.out.printf(Locale.ROOT, "%,9d entities %6.2f bytes each%n", all, bytes);
      assertThat(bytes).as("%d entities", all).isLessThan(MOST);
    }
  }

  private static List<Entity> posts(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Entity("post", Integer.toString(10_000_000 + i)))
        .toList();
  }
}
