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
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript.Limits;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.recover.ClaimScript.Claim;
import dev.bitfold.recover.RecoverResult;
import dev.bitfold.recover.RecoverRound;
import dev.bitfold.recover.RecoverSettings;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.RawCounters;
import dev.bitfold.testkit.TestRedis;
import io.lettuce.core.RestoreArgs;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule of one lane: toggles, two relays, two consumers, flush, rebuild, recoveries
 * and the faults between them, on the real scripts, the real recovery and a real Redis. Only the
 * log is a list here, so that records can be lost, late, repeated and out of order, and the epochs
 * are a number. Anything may happen between two steps of a recovery. After every step the invariant
 * must hold; nothing that was folded may be lost unless the lane was blocked and the loss accepted;
 * in the end every counter must be the number of facts.
 */
final class LaneSimulation {

  private static final int STEPS = 300;
  private static final int ENTITIES = 3;
  private static final int MOST_TOGGLES = 6;
  private static final int COUNTER_BYTES = LaneRig.SCHEMA.counterBytes();
  private static final Mode[] MODES = Mode.values();
  private static final long[] USERS = {1, 2, 40_000, 70_000, (1L << 53) + 1, Long.MAX_VALUE};

  /** Of sparse shards: few enough that they are split and joined all the time. */
  private static final int MOST_SHARD_IDS = 5;

  /** Of counters in a page: with none it is split for one, so all the time. */
  private static final int MOST_PAGE_COUNTERS = 2;

  private final Random random;
  private final int shardIds;
  private final int pageCounters;
  private final UnaryOperator<String> mutation;
  private final RedisNodes redis = TestRedis.empty();
  private final RawCounters counters = new RawCounters(redis);
  private final Life life = new Life("life-0");
  private final ListLog topic = new ListLog(this::between, this::appended);
  private final List<LogRecord> log = topic.records();
  private final List<List<Event>> late = new ArrayList<>();
  private final long[] sent = new long[2];
  private final int[] position = new int[2];
  private final Map<Integer, Walk> walks = new HashMap<>();
  private final Map<String, Integer> hits = new TreeMap<>();
  private final History history = new History();
  private final CountedEpochs epochs;
  private final Deque<Boolean> accepting = new ArrayDeque<>();
  private LaneRig rig;
  private LaneRig staleRig;
  private Copy copy;
  private int lives;
  private int topicsLost;
  private int tokens;
  private boolean lossAccepted;
  private boolean settling = true;
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

  /**
   * @param forgetful the source of epochs remembers no opening
   */
  LaneSimulation(long seed, UnaryOperator<String> mutation, boolean forgetful) {
    this.random = new Random(seed);
    this.shardIds = 1 + (int) (seed % MOST_SHARD_IDS);
    this.pageCounters = (int) (seed % (MOST_PAGE_COUNTERS + 1));
    this.mutation = mutation;
    this.epochs = new CountedEpochs(forgetful);
    this.rig = rig();
    this.staleRig = rig;
    recover();
    this.copy = copy();
    this.settling = false;
  }

  /** Runs the schedule to its end; how often each thing happened. */
  Map<String, Integer> run() {
    for (int i = 0; i < STEPS; i++) {
      tryStep();
    }
    settle();
    return hits;
  }

  private void tryStep() {
    try {
      step();
    } catch (LaneClosedException closed) {
      hit("refused");
    }
    check();
  }

  private void step() {
    int entity = random.nextInt(ENTITIES);
    int which = random.nextInt(2);
    double x = random.nextDouble();
    if (x < .24) {
      toggle();
    } else if (x < .40) {
      relay(which);
    } else if (x < .58) {
      consume(which);
      if (random.nextDouble() < .4) {
        compareAll();
      }
    } else if (x < .68) {
      flush();
    } else if (x < .75) {
      rebuild(entity);
    } else if (x < .76) {
      flipCounterBit(entity);
    } else if (x < .78) {
      loseBucket();
    } else if (x < .785) {
      hit("lost-counter");
      counters.lose(LaneRig.LANE, entity(entity));
    } else if (x < .79) {
      hit("truncated-counter");
      counters.put(LaneRig.LANE, entity(entity), new byte[7]);
    } else if (x < .82) {
      sent[which] = rig.folded();
    } else if (x < .84) {
      hit("seek");
      long near = Math.max(0, storedOffset() - random.nextInt(6));
      position[which] =
          random.nextBoolean() ? random.nextInt(log.size() + 1) : (int) Math.min(near, log.size());
    } else if (x < .865) {
      copy = copy();
    } else if (x < .875) {
      loseTail();
    } else if (x < .95) {
      recover();
    } else if (x < .97) {
      sendLate();
    } else if (x < .98) {
      staleCall();
    } else if (x < .984) {
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
    List<String> before = shards(toggles.get(0));
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 0, LaneRig.NO_LIMIT));
    List<String> after = shards(toggles.get(0));
    hit("shard-split", after.size() > before.size() ? 1 : 0);
    hit("shard-joined", after.size() < before.size() ? 1 : 0);
    hit("shard-dense", dense(after) > dense(before) ? 1 : 0);
    hit("shard-sparse", dense(after) < dense(before) ? 1 : 0);
  }

  /** The listed shards that a toggle is about; those of a sparse one begin with an s. */
  private List<String> shards(Toggle toggle) {
    String facts = toggle.metric().name() + ":" + toggle.entity();
    byte[] directory = LaneKeys.bytes("shards:{" + LaneRig.LANE + "}:" + facts);
    return RedisReplies.await(redis.commands().zrange(directory, 0, -1)).stream()
        .map(LaneKeys::text)
        .toList();
  }

  private static long dense(List<String> shards) {
    return shards.stream().filter(shard -> !shard.startsWith("s")).count();
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
    } else if (x < .3 && run.size() > 1) {
      hit("out-of-order"); // sent again after a failure, by a relay that died after the first
      log.addAll(run.subList(1, run.size()));
      log.add(run.get(0));
      sent[i] = run.get(0).seq();
    } else {
      log.addAll(run);
      sent[i] = random.nextDouble() < .1 ? 0 : run.get(run.size() - 1).seq();
    }
  }

  private void consume(int i) {
    int from = Math.min(position[i], log.size());
    int next = Math.min(log.size(), from + 1 + random.nextInt(12));
    if (from == next) {
      return;
    }
    Fold fold = fold(from, next);
    if (fold instanceof Fold.Folded folded) {
      long back = Math.max(0, folded.offset() - random.nextInt(4));
      position[i] = random.nextDouble() < .2 ? (int) Math.min(back, log.size()) : next;
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
    long before = rig.folded();
    Fold fold = rig.fold.run(LaneRig.LANE, new Batch(from, next, 0, events));
    if (fold instanceof Fold.Folded folded) {
      remember(events, before, folded.folded());
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

  /** Notes what the fold has just taken. */
  private void remember(List<Event> events, long before, long folded) {
    long epoch = number("epoch");
    events.stream()
        .filter(event -> event.epoch() == epoch)
        .filter(event -> event.seq() > before && event.seq() <= folded)
        .forEach(history::folded);
  }

  private void flush() {
    long pages = number("v1:pages");
    var flushed = rig.flush.run(LaneRig.LANE, 1 + random.nextInt(3), 1 + random.nextInt(8));
    hit("page-split", number("v1:pages") > pages ? 1 : 0);
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
      counters.put(LaneRig.LANE, entity(entity), bytes);
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

  /**
   * Redis comes back with an earlier state, or with none, and begins another life; a relay was just
   * sending. An emptied one may also go on in the same life.
   */
  private void loseTail() {
    if (text("open").equals(life.runId())) {
      inTheLog().forEach(history::logged);
    }
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
    boolean emptied = random.nextInt(4) == 0;
    hit(emptied ? "emptied" : "tail-loss");
    if (emptied) {
      seen = new Seen(new BitSet(), 0);
    } else {
      copy.data()
          .forEach(
              (key, value) ->
                  RedisReplies.await(redis.commands().restore(key, value, new RestoreArgs())));
      seen = copy.seen().copy();
    }
    if (!emptied || random.nextBoolean()) {
      String before = life.runId();
      staleRig = rig;
      life.begin(redis, "life-" + ++lives);
      rig = rig();
      rig.claim.run(LaneRig.LANE, 0, ""); // from now on this caller knows the life
      if (random.nextInt(4) == 0) {
        hit("failed-back"); // the process of before is master again, with the state of this one
        life.begin(redis, before);
        rig = staleRig;
      }
    }
  }

  /** What is in the log and would be folded next: a Redis that forgets must get it back. */
  private List<Event> inTheLog() {
    if (!text("topic").equals(topic.now())) {
      return List.of();
    }
    List<Event> next = new ArrayList<>();
    long epoch = number("epoch");
    long folded = rig.folded();
    for (LogRecord record : log.subList((int) Math.min(storedOffset(), log.size()), log.size())) {
      if (record instanceof Event event && event.epoch() == epoch && event.seq() == folded + 1) {
        next.add(event);
        folded++;
      }
    }
    hit("in-the-log", next.size());
    return next;
  }

  /** Opens the lane if it is closed or its topic is gone; a person may accept what that loses. */
  private void recover() {
    if (random.nextBoolean()) {
      topic.look();
    }
    if (recover(false) instanceof RecoverResult.Blocked blocked) {
      hit("blocked");
      if (topicsLost == 0 && !epochs.everLossy() && !revoked()) {
        throw new Wrong("blocked although the log is whole: " + blocked.reason());
      }
      if (settling || random.nextBoolean()) {
        recover(true);
      }
    }
  }

  /** Whether Redis holds events that were never in the log and that a later recovery revoked. */
  private boolean revoked() {
    long seq = text("before").isEmpty() ? rig.seq() : number("before");
    return log.stream()
        .anyMatch(
            record ->
                record instanceof EpochMarker marker
                    && marker.epoch() > number("epoch")
                    && marker.base() < seq);
  }

  private @Nullable RecoverResult recover(boolean acceptLoss) {
    RecoverSettings settings =
        new RecoverSettings(Duration.ZERO, Duration.ZERO, 3, Duration.ZERO, acceptLoss);
    RecoverRound round =
        new RecoverRound(
            rig.claim, rig.reapply, rig.open, epochs, topic, settings, Clock.systemUTC());
    accepting.push(acceptLoss);
    LaneRig mine = rig;
    try {
      RecoverResult result = round.run(LaneRig.LANE);
      if (result instanceof RecoverResult.Reopened reopened) {
        opened(reopened);
      }
      hit(result.getClass().getSimpleName().toLowerCase(Locale.ROOT));
      return result;
    } catch (KafkaUnavailableException died) {
      hit("recovery-died");
      return null;
    } finally {
      accepting.pop();
      staleRig = staleRig == mine ? rig : staleRig; // it may have noticed
    }
  }

  /** What may happen between two steps of a recovery: all that may happen, or its death. */
  private void between() throws KafkaUnavailableException {
    if (settling) {
      return;
    }
    double x = random.nextDouble();
    if (x < .05) {
      throw new KafkaUnavailableException(new IllegalStateException("the instance died"));
    }
    if (x < .15 && accepting.size() == 1) {
      hit("two-recoveries");
      recover();
    } else if (x < .25 && accepting.size() == 1) {
      tryStep();
    }
  }

  /** A loss is accepted when its marker is in the log, even if the lane is opened later. */
  private void appended() {
    lossAccepted |= accepting.getFirst();
  }

  private void opened(RecoverResult.Reopened reopened) {
    hit("reapplied", reopened.reapplied());
    if (lossAccepted) {
      hit("loss-accepted");
      lossAccepted = false;
      startOver();
    } else {
      history.recovered(rig.seq());
    }
    Arrays.fill(position, (int) Math.min(reopened.offset(), log.size()));
    Arrays.fill(sent, 0);
    walks.clear();
    seen = new Seen(new BitSet(), (int) reopened.offset());
  }

  private void startOver() {
    Set<String> facts = facts();
    List<Event> unfolded =
        new ArrayList<>(rig.outbox.run(LaneRig.LANE, rig.folded(), LaneRig.NO_LIMIT).events());
    Collections.reverse(unfolded);
    unfolded.forEach(event -> History.undo(event, facts));
    history.startOver(rig.folded(), facts);
  }

  private void sendLate() {
    if (!late.isEmpty()) {
      log.addAll(late.remove(random.nextInt(late.size())));
    }
  }

  /** A caller who has not noticed the restart wants to write; then it has noticed. */
  private void staleCall() {
    if (staleRig != rig && accepting.isEmpty()) {
      hit("stale-call");
      LaneRig stale = staleRig;
      staleRig = rig;
      stale.toggle(entity(0), LaneRig.LIKE, USERS[random.nextInt(USERS.length)], true);
      throw new Wrong("a call prepared for an earlier life was carried out");
    }
  }

  private void loseTopic() {
    hit("topic-lost");
    topic.lose();
    history.logIsLost();
    topicsLost++;
    Arrays.fill(position, 0);
    seen = new Seen(new BitSet(), (int) storedOffset());
  }

  private long storedOffset() {
    return number("offset");
  }

  private long number(String field) {
    String digits = text(field);
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }

  private String text(String field) {
    byte[] value =
        RedisReplies.await(
            redis.commands().hget(LaneKeys.lane(LaneRig.LANE), LaneKeys.bytes(field)));
    return value == null ? "" : LaneKeys.text(value);
  }

  private void check() {
    List<String> violations = Invariant.violations(redis, LaneRig.LANE);
    if (!violations.isEmpty()) {
      throw new Wrong(violations.toString());
    }
  }

  /** Lets everything end: recovers, sends, folds and flushes, and compares. */
  private void settle() {
    settling = true;
    topic.look();
    for (int i = 0; i < 50 && !isOpen(); i++) {
      recover();
    }
    if (!isOpen()) {
      throw new Wrong("the lane does not open");
    }
    if (!text("topic").equals(topic.now())) {
      throw new Wrong("the lane is open on a topic that is gone");
    }
    for (int round = 0; round < 50 && rig.folded() < rig.seq(); round++) {
      log.addAll(rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events());
      fold((int) Math.min(storedOffset(), log.size()), log.size());
    }
    if (rig.folded() < rig.seq()) {
      throw new Wrong("folded stands at " + rig.folded() + ", seq at " + rig.seq());
    }
    rig.flush.run(LaneRig.LANE, 100, 100);
    check();
    if (!facts().equals(history.facts())) {
      throw new Wrong("silently lost: facts are " + facts() + ", folded " + history.facts());
    }
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
      long facts = users(entity, metric.name()).size();
      if (said != facts) {
        throw new Wrong(metric + " of " + entity + " says " + said + ", facts are " + facts);
      }
    }
  }

  private Set<String> facts() {
    Set<String> facts = new TreeSet<>();
    for (int i = 0; i < ENTITIES; i++) {
      for (var metric : LaneRig.SCHEMA.toggles()) {
        for (long user : users(entity(i), metric.name())) {
          facts.add(History.fact(entity(i).toString(), metric.name(), user));
        }
      }
    }
    return facts;
  }

  private List<Long> users(Entity entity, String metric) {
    return new LaneView(rig).users(metric, entity);
  }

  private LaneRig rig() {
    return new LaneRig(redis, life, mutation, shardIds, pageCounters);
  }

  private boolean isOpen() {
    return rig.claim.run(LaneRig.LANE, 0, topic.now()) instanceof Claim.Open;
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

  private void hit(String what) {
    hit(what, 1);
  }

  private void hit(String what, long times) {
    if (times > 0) {
      hits.merge(what, (int) times, Integer::sum);
    }
  }
}
