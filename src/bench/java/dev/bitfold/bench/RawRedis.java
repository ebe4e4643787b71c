package dev.bitfold.bench;

import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.LaneRig;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** What Redis can do at most, without any service before it. */
final class RawRedis {

  private static final int COUNTER_BYTES = 20;
  private static final int TRIM_EVERY = 100;

  private RawRedis() {}

  /** Pipelined GETs of counters that have a key each, in the Redis of the service. */
  static Row gets(String name, Bench bench) {
    Pipeline pipeline = new Pipeline(connection(bench.deployment().redis));
    var commands = pipeline.connection().async();
    List<CompletionStage<?>> sets = new ArrayList<>();
    for (int i = 0; i < bench.form().entities(); i++) {
      sets.add(commands.set(key(i), new byte[COUNTER_BYTES]));
    }
    sets.forEach(RedisReplies::await);
    Pick entities = bench.entities();
    AtomicLong number = new AtomicLong(bench.form().seed());
    return new Row(
        name,
        time ->
            pipeline.run(
                time,
                1,
                () -> commands.get(key(entities.of(Calls.mix(number.getAndIncrement()))))));
  }

  /**
   * Pipelined calls of the toggle script of the service, in a lane of another Redis that nobody
   * relays: its outbox is trimmed now and then.
   *
   * @param size toggles a call
   */
  static Row toggles(String name, Bench bench, int size) {
    LaneRig rig = LaneRig.open(BenchDeployment.SHARD_IDS, BenchDeployment.PAGE_COUNTERS);
    Pipeline pipeline = new Pipeline(connection(rig.redis));
    Calls calls = bench.calls(20 + size);
    AtomicLong number = new AtomicLong();
    rig.toggle(new Entity("post", "loads-the-script"), LaneRig.LIKE, 1, true);
    return new Row(
        name,
        time -> pipeline.run(time, size, () -> toggle(rig, calls, bench.entities(), number, size)));
  }

  private static CompletionStage<?> toggle(
      LaneRig rig, Calls calls, Pick entities, AtomicLong number, int size) {
    List<Toggle> toggles = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      long next = number.getAndIncrement();
      long fact = calls.fact(next);
      Entity entity = new Entity("post", Integer.toString(entities.of(Calls.mix(fact))));
      boolean wanted = Calls.action(next).equals("like");
      toggles.add(new Toggle(entity, LaneRig.LIKE, Calls.user(fact), wanted));
    }
    if (number.get() / size % TRIM_EVERY == 0) {
      rig.redis.commands().xtrim(LaneKeys.bytes("outbox:" + LaneRig.LANE.tag()), 0);
    }
    return rig.toggle.run(LaneRig.LANE, toggles, System.currentTimeMillis(), Integer.MAX_VALUE);
  }

  private static StatefulRedisConnection<byte[], byte[]> connection(RedisNodes redis) {
    return ((RedisNodes.Single) redis).connection();
  }

  private static byte[] key(int entity) {
    return LaneKeys.bytes("raw:counter:" + entity);
  }
}
