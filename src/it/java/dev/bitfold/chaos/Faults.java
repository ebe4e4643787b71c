package dev.bitfold.chaos;

import dev.bitfold.chaos.TcpProxy.Mode;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Instance;
import dev.bitfold.testkit.RawCounters;
import dev.bitfold.testkit.Signals;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Does what the nemesis has laid out. Each fault ends with everything it broke healed again. */
final class Faults {

  /** Longer than every session timeout and lease of the deployment. */
  private static final Duration PAUSE = Duration.ofMillis(4_500);

  private static final Duration WHILE = Duration.ofMillis(2_500);
  private static final Duration MOMENT = Duration.ofMillis(700);

  /** The append-only file was made anew when the round began. */
  private static final Duration UNTIL_THERE_IS_A_TAIL = Duration.ofMillis(2_500);

  /** Shorter than the session timeout: then another instance sends what waits. */
  private static final Duration UNTIL_EVENTS_WAIT = Duration.ofMillis(1_500);

  // Each answers what it added to like and fav in all that will be counted; nothing if it met
  // nothing to harm.
  private static final String DELETE =
      """
      if redis.call('HDEL', page, entity) == 0 then return {} end
      return {0, 0}
      """;
  private static final String TRUNCATE =
      """
      local raw = redis.call('HGET', page, entity)
      if not raw then return {} end
      redis.call('HSET', page, entity, string.sub(raw, 1, tonumber(ARGV[2])))
      return {0, 0}
      """;
  private static final String FLIP =
      """
      local raw = redis.call('HGET', page, entity)
      if not raw or #raw ~= 20 then return {} end
      local bit = tonumber(ARGV[2])
      local at, weight = math.floor(bit / 8) + 1, 2 ^ (7 - bit % 8)
      local byte = string.byte(raw, at)
      local was = math.floor(byte / weight) % 2
      redis.call('HSET', page, entity, string.sub(raw, 1, at - 1)
        .. string.char(byte + (1 - 2 * was) * weight) .. string.sub(raw, at + 1))
      local added, effect = (1 - 2 * was) * 2 ^ (31 - bit % 32), {0, 0}
      effect[math.floor(bit / 32)] = added
      return effect
      """;

  /**
   * Spares counters so small that the loss could take them through zero, where they are made anew.
   */
  private static final String LOSE_BUCKET =
      """
      local raw = redis.call('HGET', page, entity)
      if not raw or #raw ~= 20 then return {} end
      local _, likes, favs = struct.unpack('>I4I4I4', raw)
      if likes + favs < 10 then return {} end
      local bucket = 'agg:' .. tag .. ':v1:' .. entity
      local deltas = redis.call('HMGET', bucket, 1, 2)
      local effect = {-tonumber(deltas[1] or 0), -tonumber(deltas[2] or 0)}
      if effect[1] == 0 and effect[2] == 0 then return {} end
      redis.call('DEL', bucket)
      return effect
      """;

  private final Deployment deployment;
  private final People people;
  private final Meters meters;
  private final boolean sparesFirst;
  private final Queue<Span> spans = new ConcurrentLinkedQueue<>();
  private final Queue<Loss> losses = new ConcurrentLinkedQueue<>();
  private final Queue<Damage> damages = new ConcurrentLinkedQueue<>();
  private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  private boolean logIsWhole = true;

  /**
   * Faults of one deployment.
   *
   * @param sparesFirst the first instance is neither stopped nor paused
   */
  Faults(Deployment deployment, People people, Meters meters, boolean sparesFirst) {
    this.deployment = deployment;
    this.people = people;
    this.meters = meters;
    this.sparesFirst = sparesFirst;
  }

  /**
   * A fault, from its beginning until it was healed, in microseconds since 1970.
   *
   * @param met whether it met something that it could harm
   */
  record Span(FaultKind kind, long begin, long end, boolean met) {}

  /** When the faults of a round were, and what they may have done to the data. */
  record Injuries(
      List<Span> spans, List<Loss> losses, List<Damage> damages, List<String> unexpected) {}

  /** Tells what was done since the last call. */
  Injuries taken() {
    Injuries injuries =
        new Injuries(
            List.copyOf(spans), List.copyOf(losses), List.copyOf(damages), List.copyOf(unexpected));
    spans.clear();
    losses.clear();
    damages.clear();
    unexpected.clear();
    return injuries;
  }

  /** Does one fault and heals it. */
  void run(FaultKind kind, Random random) {
    long begin = Callers.now();
    boolean met = met(kind, random);
    spans.add(new Span(kind, begin, Callers.now(), met));
  }

  private boolean met(FaultKind kind, Random random) {
    Instance one = deployment.instances.get(sparesFirst ? 1 : random.nextInt(2));
    return switch (kind) {
      case INSTANCE_KILLED -> {
        one.kill();
        yield again(one);
      }
      case INSTANCE_PAUSED -> {
        one.pause();
        wait(PAUSE);
        one.resume();
        yield true;
      }
      case INSTANCE_STOPPED -> {
        one.stop();
        yield again(one);
      }
      case INSTANCES_ROLLED -> {
        deployment.instances.forEach(
            instance -> {
              instance.stop();
              again(instance);
            });
        yield true;
      }
      case TWO_OWNERS -> twoOwners(one);
      case KAFKA_KILLED -> {
        deployment.kafka.kill();
        wait(MOMENT);
        deployment.kafka.start();
        yield true;
      }
      case KAFKA_PAUSED -> paused(deployment.kafka.pid());
      case TOPIC_DELETED -> {
        logIsWhole = false;
        deployment.redis.forgetCopies();
        deployment.topic.delete();
        yield true;
      }
      case OFFSETS_TO_BEGINNING -> resetOffsets(false);
      case OFFSETS_TO_END -> resetOffsets(true);
      case RECORDS_DUPLICATED -> deployment.topic.duplicate(200, random) > 0;
      case RECORDS_REORDERED -> reorder(one);
      case RECORDS_POISONED -> deployment.topic.poison(deployment.lanes, random) > 0;
      case REDIS_KILLED -> {
        deployment.redis.master().kill();
        wait(MOMENT);
        deployment.redis.master().start();
        yield true;
      }
      case REDIS_PAUSED -> paused(deployment.redis.master().pid());
      case REDIS_TAIL_CUT -> {
        wait(UNTIL_THERE_IS_A_TAIL);
        yield losing(false, () -> deployment.redis.cutTail(Duration.ofSeconds(1)));
      }
      case REDIS_OLDER_COPY -> losing(true, () -> deployment.redis.restoreCopy(random));
      case REDIS_FLUSHED -> losing(!logIsWhole, () -> flush(random));
      case REDIS_FULL -> full();
      case REPLICA_PROMOTED -> {
        deployment.redis.awaitReplica();
        deployment.redis.link().mode(Mode.HALF_OPEN);
        wait(MOMENT);
        boolean behind = losing(false, deployment.redis::failOver);
        deployment.redis.link().mode(Mode.PASS);
        yield behind;
      }
      case CONNECTION_SLOW -> connection(Mode.SLOW, false);
      case CONNECTION_HALF_OPEN ->
          connection(random.nextBoolean() ? Mode.HALF_OPEN : Mode.NO_ANSWERS, random.nextBoolean());
      case CONNECTION_RESET -> {
        for (int i = 0; i < 5; i++) {
          deployment.redis.front().reset();
          wait(Duration.ofMillis(300));
        }
        yield true;
      }
      case COUNTERS_DELETED -> deleteUntilFlushed(random);
      case COUNTERS_TRUNCATED ->
          some(random, 15, entity -> damage(entity, Damage.Kind.TRUNCATED, random.nextInt(20)));
      case COUNTERS_FLIPPED -> some(random, 15, entity -> flip(entity, random));
      case BUCKETS_DELETED ->
          some(random, 60, entity -> damage(entity, Damage.Kind.BUCKET_LOST, 0));
      case HOT_REBUILDS -> rebuildHot(random);
      case POSTGRES_KILLED -> {
        deployment.postgres.kill();
        wait(MOMENT);
        deployment.postgres.start();
        yield true;
      }
    };
  }

  private static boolean paused(long pid) {
    Signals.stop(pid);
    wait(PAUSE);
    Signals.go(pid);
    return true;
  }

  private static boolean again(Instance instance) {
    instance.launch();
    instance.awaitUp();
    return true;
  }

  /** An instance in another group is dealt all lanes, which others own already. */
  private boolean twoOwners(Instance one) {
    one.kill();
    one.launch(Map.of("spring.kafka.consumer.group-id", "bitfold-too"));
    one.awaitUp();
    long end = System.nanoTime() + PAUSE.toNanos();
    boolean both = false;
    while (System.nanoTime() < end) {
      both |= deployment.lanesIn("open") > deployment.lanes.count();
      wait(Duration.ofMillis(200));
    }
    one.kill();
    again(one);
    return both;
  }

  /** Redis takes no more; answers whether it refused anything. */
  private boolean full() {
    long before = deployment.redis.refusedForWantOfMemory();
    redis("CONFIG SET maxmemory 1");
    wait(WHILE);
    redis("CONFIG SET maxmemory 0");
    return deployment.redis.refusedForWantOfMemory() > before;
  }

  private boolean resetOffsets(boolean toEnd) {
    deployment.instances.forEach(Instance::kill);
    deployment.topic.resetOffsets(toEnd);
    deployment.instances.forEach(Instance::launch);
    deployment.instances.forEach(Instance::awaitUp);
    wait(WHILE);
    return true;
  }

  /**
   * While an owner stands still, others fill the outboxes of its lanes; what waits there is sent
   * last first. Answers whether a fold met a gap.
   */
  private boolean reorder(Instance owner) {
    long before = seen(Branch.GAP);
    owner.pause();
    wait(UNTIL_EVENTS_WAIT);
    try {
      deployment.topic.sendBackwards(deployment.redis.direct(), deployment.lanes);
    } catch (RedisUnavailableException away) {
      wait(MOMENT); // this fault meets another one
    }
    wait(PAUSE.minus(UNTIL_EVENTS_WAIT));
    owner.resume();
    long end = System.nanoTime() + PAUSE.toNanos();
    while (seen(Branch.GAP) == before && System.nanoTime() < end) {
      wait(MOMENT);
    }
    return seen(Branch.GAP) > before;
  }

  private long seen(Branch branch) {
    meters.look();
    return meters.sum(branch);
  }

  /**
   * Redis forgets. Everything folded before is in Kafka; the oldest event that is not tells when.
   */
  private boolean losing(boolean copied, BooleanSupplier fault) {
    long begin = Callers.now();
    long from = begin;
    for (Lane lane : deployment.allLanes()) {
      var oldest =
          RedisReplies.await(
              deployment
                  .redis
                  .direct()
                  .commands()
                  .xrange(
                      LaneKeys.bytes("outbox:" + lane.tag()), Range.unbounded(), Limit.from(1)));
      if (!oldest.isEmpty()) {
        byte[] ts =
            oldest.get(0).getBody().entrySet().stream()
                .filter(field -> LaneKeys.text(field.getKey()).equals("ts"))
                .findFirst()
                .orElseThrow()
                .getValue();
        from = Math.min(from, 1000 * Long.parseLong(LaneKeys.text(ts)));
      }
    }
    boolean happened = fault.getAsBoolean();
    losses.add(new Loss(from, begin, Callers.now(), copied));
    return happened;
  }

  /** Empties Redis. If the log does not have everything, an operator puts the copy back. */
  private boolean flush(Random random) {
    redis("FLUSHALL");
    if (!logIsWhole) {
      Await.until("lanes are blocked", () -> deployment.lanesIn("blocked") > 0);
      deployment.redis.restoreCopy(random);
    }
    return true;
  }

  private boolean connection(Mode mode, boolean resetAfter) {
    deployment.redis.front().mode(mode);
    wait(WHILE);
    if (resetAfter) {
      deployment.redis.front().reset();
    }
    deployment.redis.front().mode(Mode.PASS);
    return true;
  }

  /** Harms an entity; answers whether there was something to harm. */
  private interface Harm {
    boolean to(Entity entity);
  }

  /** Harms hot entities and others, as far as Redis can be reached. */
  private boolean some(Random random, int times, Harm harm) {
    boolean harmed = false;
    for (int i = 0; i < times; i++) {
      harmed |= harm.to(people.entity(random));
      wait(Duration.ofMillis(40));
    }
    return harmed;
  }

  /** Deletes counters until a flush has met one that is missing; else only reads might do so. */
  private boolean deleteUntilFlushed(Random random) {
    boolean deleted = false;
    long before = seen(Branch.FLUSH_REBUILT);
    long end = System.nanoTime() + PAUSE.toNanos();
    do {
      deleted |= some(random, 15, entity -> damage(entity, Damage.Kind.DELETED, 0));
    } while (seen(Branch.FLUSH_REBUILT) == before && System.nanoTime() < end);
    return deleted;
  }

  private boolean flip(Entity entity, Random random) {
    boolean high = random.nextBoolean();
    int bitOfField = high ? random.nextInt(26) : 26 + random.nextInt(6);
    int field = 1 + random.nextInt(2);
    return damage(
        entity, high ? Damage.Kind.FLIPPED : Damage.Kind.FLIPPED_LOW, 32 * field + bitOfField);
  }

  /** One after the other, so that their times tell their order. */
  private synchronized boolean damage(Entity entity, Damage.Kind kind, int argument) {
    long at = Callers.now();
    try {
      List<Long> effect = RedisReplies.await(harm(entity, kind, argument));
      if (!effect.isEmpty()) {
        damages.add(new Damage(entity, kind, at, Callers.now(), effect));
      }
      return !effect.isEmpty();
    } catch (RedisUnavailableException away) {
      damages.add(new Damage(entity, kind, at, Damage.NEVER, null));
      wait(MOMENT); // this fault meets another one
      return false;
    }
  }

  private CompletionStage<List<Long>> harm(Entity entity, Damage.Kind kind, int argument) {
    String lua =
        switch (kind) {
          case DELETED -> DELETE;
          case TRUNCATED -> TRUNCATE;
          case FLIPPED, FLIPPED_LOW -> FLIP;
          case BUCKET_LOST -> LOSE_BUCKET;
        };
    return new RawCounters(deployment.redis.direct())
        .run(
            lua,
            ScriptOutputType.MULTI,
            deployment.lanes.of(entity),
            entity,
            LaneKeys.bytes(Integer.toString(argument)));
  }

  /**
   * Rebuilds hot entities again and again, some of which lose their counter meanwhile, until
   * somebody's walk was fenced off.
   */
  private boolean rebuildHot(Random random) {
    boolean rebuilt = false;
    long before = seen(Branch.FENCED);
    long end = System.nanoTime() + PAUSE.toNanos();
    do {
      for (int i = 0; i < 40; i++) {
        Entity entity = people.hot().get(random.nextInt(people.hot().size()));
        if (i % 3 == 0) {
          damage(entity, Damage.Kind.DELETED, 0);
        }
        rebuilt |= rebuild(entity, random);
      }
    } while (seen(Branch.FENCED) == before && System.nanoTime() < end);
    return rebuilt;
  }

  private boolean rebuild(Entity entity, Random random) {
    Instance instance = deployment.instances.get(random.nextInt(deployment.instances.size()));
    try {
      Http.Answer answer = instance.http().post("/api/v1/admin/rebuild/post/" + entity.id(), "");
      if (answer.status() != 200 && answer.status() != 503) {
        unexpected.add("rebuild answered " + answer.text());
      }
      return answer.status() == 200;
    } catch (UncheckedIOException away) {
      wait(MOMENT); // this fault meets another one
      return false;
    }
  }

  private void redis(String line) {
    try {
      deployment.redis.master().call(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void wait(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
