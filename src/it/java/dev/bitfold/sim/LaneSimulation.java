package dev.bitfold.sim;

import dev.bitfold.bucket.FoldScript.Batch;
import dev.bitfold.bucket.FoldScript.Fold;
import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.EpochMarker;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.LogRecord;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Limits;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.LogWalk;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.TestRedis;
import io.lettuce.core.RestoreArgs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * One random schedule of one lane: toggles, two relays, two consumers, flush, rebuild, recovery and
 * the faults between them, on the real scripts and a real Redis. Only the log is a list here, so
 * that records can be lost, late, repeated and out of order. After every step the invariant must
 * hold; in the end every counter must be the number of facts.
 */
final class LaneSimulation {

  private static final int STEPS = 300;
  private static final int ENTITIES = 3;
  private static final int MOST_TOGGLES = 6;
  private static final int COUNTER_BYTES = LaneRig.SCHEMA.counterBytes();
  private static final Mode[] MODES = Mode.values();
  private static final long[] USERS = {1, 2, 40_000, 70_000, (1L << 53) + 1, Long.MAX_VALUE};

  private final Random random;
  private final UnaryOperator<String> mutation;
  private final RedisNodes redis = TestRedis.empty();
  private final Life life = new Life("life-0");
  private final List<LogRecord> log = new ArrayList<>();
  private final List<List<Event>> late = new ArrayList<>();
  private final long[] sent = new long[2];
  private final int[] position = new int[2];
  private final Map<Integer, Walk> walks = new HashMap<>();
  private final Map<String, Integer> hits = new TreeMap<>();
  private LaneRig rig;
  private LaneRig staleRig;
  private Copy copy;
  private long epochs;
  private int lives;
  private int topics;
  private int tokens;
  private Seen seen = new Seen(new BitSet(), 0);

  /** Which offsets of the log the fold has looked at, from some offset on. */
  private record Seen(BitSet offsets, int from) {
    Seen copy() {
      return new Seen((BitSet) offsets.clone(), from);
    }
  }

  /** What a Redis would come back with: its data, and what its fold had looked at by then. */
  private record Copy(Map<byte[], byte[]> data, Seen seen) {}

  /** A rebuild under way. */
  private record Walk(String token, Mode mode) {}

  /** The schedule went wrong. */
  static final class Wrong extends RuntimeException {
    Wrong(String what) {
      super(what);
    }
  }

  LaneSimulation(long seed, UnaryOperator<String> mutation) {
    this.random = new Random(seed);
    this.mutation = mutation;
    this.rig = new LaneRig(redis, life, mutation);
    this.staleRig = rig;
    recover();
    this.copy = copy();
  }

  /** Runs the schedule to its end; how often each thing happened. */
  Map<String, Integer> run() {
    for (int i = 0; i < STEPS; i++) {
      try {
        step();
      } catch (LaneClosedException closed) {
        hit("refused");
      }
      check();
    }
    settle();
    return hits;
  }

  private void step() {
    int entity = random.nextInt(ENTITIES);
    int which = random.nextInt(2);
    double x = random.nextDouble();
    if (x < .35) {
      toggle();
    } else if (x < .49) {
      relay(which);
    } else if (x < .63) {
      consume(which);
      if (random.nextDouble() < .4) {
        compareAll();
      }
    } else if (x < .70) {
      flush();
    } else if (x < .80) {
      rebuild(entity);
    } else if (x < .81) {
      flipCounterBit(entity);
    } else if (x < .83) {
      loseBucket();
    } else if (x < .84) {
      hit("lost-counter");
      RedisReplies.await(redis.commands().del(counterKey(entity)));
    } else if (x < .85) {
      hit("truncated-counter");
      RedisReplies.await(redis.commands().set(counterKey(entity), new byte[7]));
    } else if (x < .88) {
      sent[which] = rig.folded();
    } else if (x < .91) {
      hit("seek");
      position[which] = random.nextInt(log.size() + 1);
    } else if (x < .93) {
      copy = copy();
    } else if (x < .94) {
      loseTail();
    } else if (x < .97) {
      recover();
    } else if (x < .985) {
      sendLate();
    } else if (x < .99) {
      staleCall();
    } else if (x < .995) {
      loseTopic();
    }
  }

  private void toggle() {
    List<Toggle> toggles = new ArrayList<>();
    int size = random.nextDouble() < .2 ? MOST_TOGGLES : 1 + random.nextInt(2);
    for (int i = 0; i < size; i++) {
      toggles.add(
          new Toggle(
              entity(random.nextInt(ENTITIES)),
              random.nextBoolean() ? LaneRig.LIKE : LaneRig.FAV,
              USERS[random.nextInt(USERS.length)],
              random.nextDouble() < .6));
    }
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 0, LaneRig.NO_LIMIT));
  }

  private void relay(int i) {
    List<Event> run = rig.outbox.run(LaneRig.LANE, sent[i], 1 + random.nextInt(4)).events();
    if (run.isEmpty()) {
      return;
    }
    double x = random.nextDouble();
    if (x < .1) {
      hit("late-send");
      late.add(run);
    } else if (x < .2 && run.size() > 1) {
      hit("send-failed");
      log.addAll(run.subList(1, run.size()));
      sent[i] = run.get(0).seq() - 1;
    } else {
      log.addAll(run);
      sent[i] = random.nextDouble() < .1 ? 0 : run.get(run.size() - 1).seq();
    }
  }

  private void consume(int i) {
    int from = Math.min(position[i], log.size());
    int next = Math.min(log.size(), from + 1 + random.nextInt(5));
    if (from == next) {
      return;
    }
    Fold fold = fold(from, next);
    if (fold instanceof Fold.Folded folded) {
      long back = Math.max(0, folded.offset() - random.nextInt(4));
      position[i] = random.nextDouble() < .1 ? (int) Math.min(back, log.size()) : next;
    } else if (fold instanceof Fold.Beyond beyond) {
      position[i] = (int) Math.min(beyond.offset(), log.size());
    }
  }

  private Fold fold(int from, int next) {
    List<Event> events =
        log.subList(from, next).stream()
            .filter(Event.class::isInstance)
            .map(Event.class::cast)
            .toList();
    Fold fold = rig.fold.run(LaneRig.LANE, new Batch(from, next, 0, events));
    if (fold instanceof Fold.Folded folded) {
      hit("duplicate", folded.duplicates());
      hit("gap", folded.gaps());
      hit("stale", folded.stale());
      hit("floored", folded.floored());
      seen.offsets().set(from, next);
      int unseen = seen.offsets().nextClearBit(seen.from());
      if (unseen < Math.min(folded.offset(), log.size())) {
        throw new Wrong("offset " + folded.offset() + " is stored, " + unseen + " was never read");
      }
    } else {
      hit(fold instanceof Fold.Beyond ? "beyond" : "refused");
    }
    return fold;
  }

  private void flush() {
    var flushed = rig.flush.run(LaneRig.LANE, 1 + random.nextInt(3), 1 + random.nextInt(8));
    hit("flushed", flushed.flushed());
    hit("flush-rebuilt", flushed.rebuilt());
    hit("flush-large", flushed.large().size());
    if (!flushed.astray().isEmpty()) {
      throw new Wrong("the counter of " + flushed.astray() + " would leave its range");
    }
  }

  /**
   * Starts a rebuild of the entity or takes one more step of it; others act in between. It corrects
   * nothing but a counter that is malformed.
   */
  private void rebuild(int entity) {
    Limits limits = LaneRig.steps(1 + random.nextInt(3));
    Walk walk = walks.get(entity);
    boolean malformed = malformed(entity);
    Step step;
    if (walk == null || random.nextDouble() < .1) {
      walk = new Walk("token-" + tokens++, MODES[random.nextInt(MODES.length)]);
      walks.put(entity, walk);
      step =
          RedisReplies.await(
              rig.rebuild.first(LaneRig.LANE, entity(entity), walk.token(), walk.mode(), limits));
    } else {
      step =
          RedisReplies.await(
              rig.rebuild.next(LaneRig.LANE, entity(entity), walk.token(), walk.mode(), limits));
    }
    hit((walk.mode() == Mode.WRONG ? "reconcile-" : "rebuild-") + word(step));
    if (step instanceof Step.Corrected corrected && !malformed) {
      throw new Wrong(walk.mode() + " corrected what was right: " + corrected);
    }
    if (step instanceof Step.Busy && random.nextDouble() < .5) {
      hit("walk-abandoned");
      loseWalk(entity(entity));
    }
    if (!(step instanceof Step.More)) {
      walks.remove(entity);
    }
  }

  /** One bit of a good counter turns over, and a comparison must find it. */
  private void flipCounterBit(int entity) {
    byte[] bytes = counter(entity).filter(good -> good.length == COUNTER_BYTES).orElse(null);
    if (bytes != null && isOpen()) {
      hit("flipped-bit");
      Metric metric = random.nextBoolean() ? LaneRig.LIKE : LaneRig.FAV;
      int bit = random.nextInt(8 * Schema.FIELD_BYTES);
      bytes[Schema.FIELD_BYTES * metric.index() + bit / 8] ^= (byte) (1 << bit % 8);
      RedisReplies.await(redis.commands().set(counterKey(entity), bytes));
      mustBeFound(entity);
    }
  }

  /** The bucket of a good counter goes, and a comparison must find out. */
  private void loseBucket() {
    for (int entity = 0; entity < ENTITIES && isOpen(); entity++) {
      byte[] key = LaneKeys.bytes("agg:" + LaneRig.LANE.tag() + ":v1:" + entity(entity));
      boolean waiting =
          RedisReplies.await(redis.commands().hvals(key)).stream()
              .anyMatch(delta -> !LaneKeys.text(delta).equals("0"));
      if (waiting && counter(entity).filter(good -> good.length == COUNTER_BYTES).isPresent()) {
        hit("lost-bucket");
        RedisReplies.await(redis.commands().del(key));
        mustBeFound(entity);
      }
    }
  }

  /** Compares every counter in one step each, as it stands between two steps of the others. */
  private void compareAll() {
    for (int entity = 0; entity < ENTITIES; entity++) {
      boolean malformed = malformed(entity);
      Step step = compareNow(entity);
      hit("reconcile-" + word(step));
      if (step instanceof Step.Busy && random.nextBoolean()) {
        hit("walk-abandoned");
        loseWalk(entity(entity));
        step = compareNow(entity);
      }
      if (step instanceof Step.Corrected corrected && !malformed) {
        throw new Wrong("WRONG corrected what was right: " + corrected);
      }
    }
  }

  private void mustBeFound(int entity) {
    walks.remove(entity);
    loseWalk(entity(entity));
    Step step = compareNow(entity);
    if (!(step instanceof Step.Corrected)) {
      throw new Wrong("damage was not found: " + step);
    }
    hit("reconcile-corrected");
  }

  private Step compareNow(int entity) {
    return RedisReplies.await(
        rig.rebuild.first(
            LaneRig.LANE,
            entity(entity),
            "finder-" + tokens++,
            Mode.WRONG,
            LaneRig.steps(LaneRig.NO_LIMIT)));
  }

  private static String word(Step step) {
    return step.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  private boolean malformed(int entity) {
    return counter(entity).filter(bytes -> bytes.length != COUNTER_BYTES).isPresent();
  }

  private Optional<byte[]> counter(int entity) {
    return Optional.ofNullable(rig.counter(entity(entity)));
  }

  private void loseWalk(Entity entity) {
    RedisReplies.await(
        redis.commands().del(LaneKeys.bytes("rebuild:" + LaneRig.LANE.tag() + ":" + entity)));
  }

  /** Redis comes back with an earlier state and begins another life; a relay was just sending. */
  private void loseTail() {
    hit("tail-loss");
    if (random.nextBoolean()) {
      try {
        List<Event> run = rig.outbox.run(LaneRig.LANE, sent[0], LaneRig.NO_LIMIT).events();
        if (!run.isEmpty()) {
          late.add(run);
        }
      } catch (LaneClosedException closed) {
        hit("refused");
      }
    }
    RedisReplies.await(redis.commands().flushall());
    copy.data()
        .forEach(
            (key, value) ->
                RedisReplies.await(redis.commands().restore(key, value, new RestoreArgs())));
    seen = copy.seen().copy();
    staleRig = rig;
    life.begin(redis, "life-" + ++lives);
    rig = new LaneRig(redis, life, mutation);
    rig.claim.run(LaneRig.LANE, 0); // from now on this caller knows the life
  }

  /** Opens the lane if it is closed; may die after any step of it. */
  private void recover() {
    Claim asked = rig.claim.run(LaneRig.LANE, 0);
    if (!(asked instanceof Claim.Stale)) {
      return;
    }
    long epoch = ++epochs;
    if (!(rig.claim.run(LaneRig.LANE, epoch) instanceof Claim.Claimed state) || dies()) {
      return;
    }
    String topic = "topic-" + topics;
    boolean sameLog = state.topic().equals(topic) && state.offset() <= log.size();
    long from = sameLog ? state.offset() : 0;
    LogWalk walk = walk(state, from, false);
    if (walk.broken() || !sameLog && walk.unfilled()) {
      hit("loss-accepted");
      walk = walk(state, from, true);
    }
    List<Event> events =
        Arrays.stream(walk.accepted()).mapToObj(at -> (Event) log.get((int) at)).toList();
    long base = state.seq();
    if (!events.isEmpty()) {
      OptionalLong seq = rig.reapply.run(LaneRig.LANE, epoch, base, 0, events);
      base = seq.orElseThrow(() -> new Wrong("the claim was lost"));
    }
    hit("reapplied", events.size());
    if (dies()) {
      return;
    }
    log.add(new EpochMarker(epoch, LaneRig.LANE, base));
    if (dies()) {
      return;
    }
    long offset = rig.open.run(LaneRig.LANE, epoch, base, topic, log.size()).orElseThrow();
    hit("recovered");
    Arrays.fill(position, (int) Math.min(offset, log.size()));
    Arrays.fill(sent, 0);
    walks.clear();
    if (offset < seen.from()) {
      seen = new Seen(new BitSet(), 0);
    }
  }

  private LogWalk walk(Claim.Claimed state, long from, boolean lenient) {
    LogWalk walk = new LogWalk(state.epoch(), state.seq(), lenient);
    for (int i = (int) from; i < log.size(); i++) {
      walk.take(i, log.get(i));
    }
    return walk;
  }

  private boolean dies() {
    return copy != null && random.nextDouble() < .1;
  }

  private void sendLate() {
    if (!late.isEmpty()) {
      log.addAll(late.remove(random.nextInt(late.size())));
    }
  }

  /** A caller who has not noticed the restart wants to write; then it has noticed. */
  private void staleCall() {
    if (staleRig != rig) {
      hit("stale-call");
      LaneRig stale = staleRig;
      staleRig = rig;
      stale.toggle(entity(0), LaneRig.LIKE, USERS[random.nextInt(USERS.length)], true);
      throw new Wrong("a call prepared for an earlier life was carried out");
    }
  }

  private void loseTopic() {
    hit("topic-lost");
    log.clear();
    topics++;
    Arrays.fill(position, 0);
    seen = new Seen(new BitSet(), (int) storedOffset());
  }

  private long storedOffset() {
    byte[] offset =
        RedisReplies.await(
            redis.commands().hget(LaneKeys.lane(LaneRig.LANE), LaneKeys.bytes("offset")));
    return offset == null ? 0 : Long.parseLong(LaneKeys.text(offset));
  }

  private void check() {
    List<String> violations = Invariant.violations(redis, LaneRig.LANE);
    if (!violations.isEmpty()) {
      throw new Wrong(violations.toString());
    }
  }

  /** Lets everything end: recovers, sends, folds and flushes, and compares. */
  private void settle() {
    for (int i = 0; i < 50 && !isOpen(); i++) {
      recover();
    }
    if (!isOpen()) {
      throw new Wrong("the lane does not open");
    }
    for (int round = 0; round < 50 && rig.folded() < rig.seq(); round++) {
      log.addAll(rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events());
      int from = (int) Math.min(storedOffset(), log.size());
      if (from < log.size()) {
        fold(from, log.size());
      } else {
        fold(0, log.size());
      }
    }
    if (rig.folded() < rig.seq()) {
      throw new Wrong("folded stands at " + rig.folded() + ", seq at " + rig.seq());
    }
    rig.flush.run(LaneRig.LANE, 100, 100);
    check();
    for (int i = 0; i < ENTITIES; i++) {
      compare(entity(i));
    }
  }

  private void compare(Entity entity) {
    Step step =
        RedisReplies.await(
            rig.rebuild.first(
                LaneRig.LANE, entity, "end-" + entity, Mode.MISSING, LaneRig.steps(100)));
    if (step instanceof Step.Busy) {
      loseWalk(entity);
      compare(entity);
      return;
    }
    byte[] counter = rig.counter(entity);
    for (var metric : LaneRig.SCHEMA.toggles()) {
      long said = counter == null ? 0 : ByteBuffer.wrap(counter).getInt(4 * metric.index());
      long facts = 0;
      for (long user : USERS) {
        facts += holds(entity, metric.name(), user) ? 1 : 0;
      }
      if (said != facts) {
        throw new Wrong(metric + " of " + entity + " says " + said + ", facts are " + facts);
      }
    }
  }

  private boolean holds(Entity entity, String metric, long user) {
    String shard = "bm:" + LaneRig.LANE.tag() + ":" + metric + ":" + entity + ":" + (user >>> 15);
    return RedisReplies.await(redis.commands().getbit(LaneKeys.bytes(shard), user & 32767)) == 1;
  }

  private boolean isOpen() {
    return rig.claim.run(LaneRig.LANE, 0) instanceof Claim.Open;
  }

  private Copy copy() {
    Map<byte[], byte[]> data = new HashMap<>();
    for (byte[] key : RedisReplies.await(redis.commands().keys("*"))) {
      data.put(key, RedisReplies.await(redis.commands().dump(key)));
    }
    return new Copy(data, seen.copy());
  }

  private static Entity entity(int number) {
    return new Entity("post", Integer.toString(number));
  }

  private static byte[] counterKey(int entity) {
    return LaneKeys.counter(LaneRig.LANE, LaneRig.SCHEMA, entity(entity));
  }

  private void hit(String what) {
    hit(what, 1);
  }

  private void hit(String what, long times) {
    if (times > 0) {
      hits.merge(what, (int) times, Integer::sum);
    }
  }
}
