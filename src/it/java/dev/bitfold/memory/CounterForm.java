package dev.bitfold.memory;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Metric;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.ManyCounters;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Ways to keep five totals of an entity. */
enum CounterForm {
  PAGES("Bitfold") {
    @Override
    void add(LaneRig rig, Writes writes, List<Entity> entities) {
      Map<Lane, List<Entity>> lanes =
          entities.stream().collect(Collectors.groupingBy(new Lanes(LANES)::of));
      new ManyCounters(rig).add(lanes);
    }
  },
  STRING("string of 20 bytes") {
    @Override
    void add(LaneRig rig, Writes writes, List<Entity> entities) {
      Random random = new Random(1);
      for (Entity entity : entities) {
        ByteBuffer bytes = ByteBuffer.allocate(LaneRig.SCHEMA.counterBytes());
        for (int total : ManyCounters.totals(random)) {
          bytes.putInt(total);
        }
        Lane lane = new Lanes(LANES).of(entity);
        writes.set("cnt:" + lane.tag() + ":v1:" + entity, bytes.array());
      }
    }
  },
  HASH("hash of five numbers") {
    @Override
    void add(LaneRig rig, Writes writes, List<Entity> entities) {
      Random random = new Random(1);
      for (Entity entity : entities) {
        int[] totals = ManyCounters.totals(random);
        for (Metric metric : LaneRig.SCHEMA.metrics()) {
          writes.hset(entity.toString(), metric.name(), totals[metric.index()]);
        }
      }
    }
  },
  KEYS("key per metric") {
    @Override
    void add(LaneRig rig, Writes writes, List<Entity> entities) {
      Random random = new Random(1);
      for (Entity entity : entities) {
        int[] totals = ManyCounters.totals(random);
        for (Metric metric : LaneRig.SCHEMA.metrics()) {
          writes.set(metric.name() + ":" + entity, totals[metric.index()]);
        }
      }
    }
  };

  private static final int LANES = 64;

  final String title;

  CounterForm(String title) {
    this.title = title;
  }

  abstract void add(LaneRig rig, Writes writes, List<Entity> entities);
}
