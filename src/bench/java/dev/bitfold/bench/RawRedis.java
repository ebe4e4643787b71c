package dev.bitfold.bench;

import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.ScriptText;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.LaneRig;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** What Redis can do at most, without any service before it. */
final class RawRedis {

  private static final int COUNTER_BYTES = 20;
  private static final int TRIM_EVERY = 100;
  private static final byte[][] KEYS = {LaneKeys.lane(LaneRig.LANE)};
  private static final byte[] OUTBOX = LaneKeys.bytes("outbox:" + LaneRig.LANE.tag());

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
   * relays: its outbox is trimmed now and then. They go past {@code ToggleScript}, which would make
   * this process the limit and not Redis.
   *
   * @param size toggles a call
   */
  static Row toggles(String name, Bench bench, int size) {
    LaneRig rig = LaneRig.open(BenchDeployment.SHARD_IDS, BenchDeployment.PAGE_COUNTERS);
    String script =
        ScriptText.of(LaneRig.SCHEMA, BenchDeployment.SHARD_IDS, BenchDeployment.PAGE_COUNTERS)
            .of(LuaScript.load("fact/toggle"), LaneRig.FIRST_LIFE);
    String digest = RedisReplies.await(rig.redis.commands().scriptLoad(LaneKeys.bytes(script)));
    Calls calls = bench.calls(20 + size);
    AtomicLong number = new AtomicLong();
    Pipeline pipeline = new Pipeline(connection(rig.redis));
    return new Row(
        name,
        time ->
            pipeline.run(
                time,
                size,
                () -> {
                  long first = number.getAndAdd(size);
                  if (first / size % TRIM_EVERY == 0) {
                    rig.redis.commands().xtrim(OUTBOX, 0);
                  }
                  return rig.redis
                      .commands()
                      .<List<Object>>evalsha(
                          digest,
                          ScriptOutputType.MULTI,
                          KEYS,
                          arguments(calls, bench.entities(), first, size))
                      .thenAccept(RawRedis::requireChanges);
                }));
  }

  /** As the script takes them: time, most events of the outbox, toggles. */
  private static byte[][] arguments(Calls calls, Pick entities, long first, int size) {
    List<String> arguments = new ArrayList<>(2 + 4 * size);
    arguments.add(Long.toString(System.currentTimeMillis()));
    arguments.add(Integer.toString(Integer.MAX_VALUE));
    for (long next = first; next < first + size; next++) {
      long fact = calls.fact(next);
      Entity entity = new Entity("post", Integer.toString(entities.of(Calls.mix(fact))));
      boolean wanted = Calls.action(next).equals("like");
      arguments.addAll(new Toggle(entity, LaneRig.LIKE, Calls.user(fact), wanted).args());
    }
    return arguments.stream().map(LaneKeys::bytes).toArray(byte[][]::new);
  }

  private static void requireChanges(List<Object> reply) {
    if (!LaneKeys.text((byte[]) reply.get(0)).equals("OK")) {
      throw new IllegalStateException(LaneKeys.text((byte[]) reply.get(0)));
    }
  }

  private static StatefulRedisConnection<byte[], byte[]> connection(RedisNodes redis) {
    return ((RedisNodes.Single) redis).connection();
  }

  private static byte[] key(int entity) {
    return LaneKeys.bytes("raw:counter:" + entity);
  }
}
