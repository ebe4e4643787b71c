package dev.bitfold.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.bucket.FoldScript;
import dev.bitfold.embedded.RedisServer;
import dev.bitfold.fact.Toggle;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.rebuild.RebuildScript.Step;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.LaneView;
import dev.bitfold.testkit.RedisCluster;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.io.IOException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While a Redis Cluster moves the slot of a lane, some of its keys are on one node and some on the
 * other, and a script that meets a missing key fails there and then. So none writes until all are
 * on one.
 */
class MovedSlotIT {

  /** Has every key an entity can have. */
  private static final Entity FULL = new Entity("post", "1");

  /** Has no walk. */
  private static final Entity PLAIN = new Entity("post", "2");

  private static final Entity FLOORED = new Entity("post", "3");

  /** Has every key too; a flush has to rebuild it. */
  private static final Entity BAD_COUNTER = new Entity("post", "4");

  private static final Entity BAD_BUCKET = new Entity("post", "5");

  private static final List<Entity> ENTITIES =
      List.of(FULL, PLAIN, FLOORED, BAD_COUNTER, BAD_BUCKET);
  private static final List<Metric> METRICS = List.of(LaneRig.LIKE, LaneRig.FAV);

  private static final int SLOT = SlotHash.getSlot(LaneKeys.lane(LaneRig.LANE));

  /** An epoch that a recovery has claimed. */
  private static final long CLAIMED = 9;

  private static final byte[] MALFORMED = {1, 2, 3};

  private static RedisCluster cluster;
  private static RedisClusterClient client;
  private static RedisNodes redis;
  private static RedisServer owner;

  private final Set<String> facts = new HashSet<>();
  private RedisServer source;
  private RedisServer target;
  private LaneRig rig;
  private LaneView view;
  private List<Event> pending;
  private long events;

  /** The keys that have gone ahead to the other node. */
  enum Moved {
    NOTHING("nothing"),
    LANE_HASH("lane:.*"),
    SHARDS_AND_OUTBOX("(shards|outbox):.*"),
    SHARDS("shards:.*"),
    ONE_BITMAP("bm:.*:like:post:1:1"),
    IDS("ids:.*"),
    BITMAPS("bm:.*"),
    OUTBOX("outbox:.*"),
    DIRTY("dirty:.*"),
    BUCKETS("agg:.*"),
    ONE_BUCKET("agg:.*:post:2"),
    COUNTERS("cnt:.*"),
    ONE_PAGE("cnt:.*", 1),
    FLOOR("floor:.*"),
    FOLDED("folded:.*"),
    WALKS("rebuild:.*"),
    AUDIT("audit:.*"),
    ALL_BUT_THE_LANE_HASH("(?!lane:).*");

    private final Pattern names;
    private final int most;

    Moved(String names) {
      this(names, Integer.MAX_VALUE);
    }

    Moved(String names, int most) {
      this.names = Pattern.compile(names);
      this.most = most;
    }

    private List<String> of(List<String> keys) {
      return keys.stream().filter(key -> names.matcher(key).matches()).limit(most).toList();
    }
  }

  /** What somebody asks of the lane meanwhile. */
  enum Call {
    LIKE(it -> it.toggle(like(FULL, 100, true))),
    LIKE_BEFORE_THE_CURSOR(it -> it.toggle(like(FULL, 70_100, true))),
    LIKE_IN_A_NEW_SHARD(it -> it.toggle(like(FULL, 200_000, true))),
    LIKE_WITHOUT_A_WALK(it -> it.toggle(like(PLAIN, 100, true))),
    UNLIKE(it -> it.toggle(like(FULL, 1, false))),
    UNLIKE_OF_THE_LAST_IN_A_SHARD(it -> it.toggle(like(FULL, 40_000, false))),
    BATCH(
        it ->
            it.toggle(
                like(FULL, 101, true),
                like(FULL, 3, false),
                like(FULL, 40_001, true),
                like(BAD_COUNTER, 101, true))),
    BATCH_THAT_EMPTIES_A_SHARD_AND_FILLS_IT_AGAIN(
        it ->
            it.toggle(
                like(FULL, 70_000, false), like(FULL, 70_001, true), like(FULL, 70_001, false))),
    BATCH_OF_TWO_ENTITIES(it -> it.toggle(like(FULL, 102, true), like(PLAIN, 102, true))),
    REAPPLY(MovedSlotIT::reapply),
    FOLD(MovedSlotIT::fold),
    FLUSH(it -> it.rig.flush.run(LaneRig.LANE, 100, 1000)),
    LAST_STEP_OF_A_REBUILD(it -> it.finish(FULL)),
    STEP_OF_A_REBUILD(
        it ->
            RedisReplies.await(
                it.rig.rebuild.next(LaneRig.LANE, FULL, "walker", Mode.FORCE, LaneRig.steps(1)))),
    REBUILD(it -> it.rebuild(PLAIN, 1000)),
    REBUILD_OF_A_BAD_COUNTER(it -> it.rebuild(BAD_BUCKET, 1000)),
    COMPARISON(it -> it.compare(PLAIN)),
    COMPARISON_OF_A_WRONG_COUNTER(it -> it.compare(BAD_BUCKET));

    private final Consumer<MovedSlotIT> action;

    Call(Consumer<MovedSlotIT> action) {
      this.action = action;
    }
  }

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(FreshDirectory.named("cluster"));
    client = RedisClusterClient.create(RedisURI.create("127.0.0.1", cluster.nodes().get(0).port()));
    redis = RedisNodes.connect(client);
    owner = cluster.nodes().get(SLOT * cluster.nodes().size() / SlotHash.SLOT_COUNT);
  }

  @AfterAll
  static void stop() {
    redis.close();
    client.shutdown();
    cluster.close();
  }

  @BeforeEach
  void openLaneWithSomethingOfEverything() throws IOException {
    for (RedisServer node : cluster.nodes()) {
      node.call("FLUSHALL");
      node.call("CLUSTER SETSLOT " + SLOT + " STABLE");
    }
    source = owner;
    target = cluster.nodes().get((cluster.nodes().indexOf(owner) + 1) % cluster.nodes().size());
    connect(source);
    rig.openIn(1);
    for (long user : List.of(1, 2, 3, 40_000, 70_000)) {
      toggle(like(FULL, user, true));
    }
    for (Entity entity : List.of(PLAIN, FLOORED, BAD_COUNTER, BAD_BUCKET)) {
      toggle(like(entity, 1, true));
    }
    toggle(like(BAD_COUNTER, 40_000, true));
    rig.foldAll(rig.offset());
    rig.flush.run(LaneRig.LANE, 100, 1000);
    toggle(like(FULL, 4, true), like(PLAIN, 2, true), like(BAD_COUNTER, 2, true));
    rig.foldAll(rig.offset());
    toggle(like(FULL, 5, true), like(FULL, 2, false), like(PLAIN, 3, true));
    toggle(like(FLOORED, 2, true), like(BAD_COUNTER, 3, true), like(BAD_BUCKET, 2, true));
    toggle(new Toggle(FULL, LaneRig.FAV, 1, true), new Toggle(BAD_BUCKET, LaneRig.FAV, 2, true));
    rebuild(FLOORED, 1000);
    view.malformed(BAD_COUNTER, MALFORMED);
    view.malformed(BAD_BUCKET, MALFORMED);
    RedisReplies.await(
        redis
            .commands()
            .set(
                LaneKeys.bytes("agg:" + LaneRig.LANE.tag() + ":v1:" + BAD_BUCKET),
                LaneKeys.bytes("not a hash")));
    view.malformed(FLOORED, MALFORMED);
    assertThat(compare(FLOORED)).isInstanceOf(Step.Corrected.class);
    assertThat(view.audit()).hasSize(1);
    assertThat(rebuild(FULL, 1)).isInstanceOf(Step.More.class);
    assertThat(rebuild(BAD_COUNTER, 1)).isInstanceOf(Step.More.class);
    view.lane("claim", source.runId() + ":" + CLAIMED);
    pending = rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events();
    assertThat(view.floor(FLOORED)).isNotNull();
    assertThat(view.dirty()).hasSize(3);
    Invariant.holds(redis, List.of(LaneRig.LANE));
  }

  @ParameterizedTest
  @EnumSource
  void calls_during_a_move_fail_as_a_whole(Moved moved) throws Exception {
    begin(moved);
    for (Call call : Call.values()) {
      attempt(call);
    }
    end();
    nothingIsLostOrDoubledInTheNewPlace();
  }

  @ParameterizedTest
  @EnumSource
  void lane_whose_move_is_taken_back_goes_on_where_it_was(Moved moved) throws Exception {
    begin(moved);
    for (Call call : Call.values()) {
      attempt(call);
    }
    takeBack();
    Invariant.holds(redis, List.of(LaneRig.LANE));
    nothingIsLostOrDoubled();
  }

  /** Makes a call, which must fail and change nothing: a lane stands still while its slot moves. */
  private void attempt(Call call) throws IOException {
    Map<String, String> before = everything();
    assertThatThrownBy(() -> call.action.accept(this))
        .as("%s", call)
        .isInstanceOfAny(RedisUnavailableException.class, LaneClosedException.class);
    assertThat(everything()).as("after a failed %s", call).isEqualTo(before);
  }

  private void nothingIsLostOrDoubledInTheNewPlace() {
    Invariant.holds(redis, List.of(LaneRig.LANE));
    connect(target);
    assertThatThrownBy(() -> rig.toggle(FULL, LaneRig.LIKE, 300, true))
        .isInstanceOf(LaneClosedException.class);
    rig.openIn(2);
    nothingIsLostOrDoubled();
  }

  private void nothingIsLostOrDoubled() {
    assertThat(rig.seq()).isEqualTo(events);
    assertFacts();
    rig.foldAll(rig.offset());
    assertThat(rig.folded()).isEqualTo(events);
    assertThat(view.outbox()).isEmpty();
    if (!view.walk(FULL).isEmpty()) {
      finish(FULL);
    }
    rig.flush.run(LaneRig.LANE, 100, 1000);
    assertThat(view.dirty()).isEmpty();
    assertCounters();
    Invariant.holds(redis, List.of(LaneRig.LANE));
    ENTITIES.forEach(view::loseWalk);
    ENTITIES.forEach(entity -> assertThat(rebuild(entity, 1000)).isInstanceOf(Step.Done.class));
    assertCounters();
  }

  private void assertFacts() {
    for (Entity entity : ENTITIES) {
      for (Metric metric : METRICS) {
        assertThat(view.users(metric.name(), entity))
            .as("%s of %s", metric.name(), entity)
            .hasSize((int) count(entity, metric));
      }
    }
  }

  private void assertCounters() {
    for (Entity entity : ENTITIES) {
      for (Metric metric : METRICS) {
        assertThat(view.counter(entity).get(metric.index()))
            .as("%s of %s", metric.name(), entity)
            .isEqualTo(count(entity, metric));
      }
    }
  }

  private long count(Entity entity, Metric metric) {
    return facts.stream()
        .filter(fact -> fact.startsWith(entity + " " + metric.name() + " "))
        .count();
  }

  private void toggle(Toggle... toggles) {
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, List.of(toggles), 1000, LaneRig.NO_LIMIT));
    for (Toggle toggle : toggles) {
      String fact = toggle.entity() + " " + toggle.metric().name() + " " + toggle.userId();
      if (toggle.wanted() ? facts.add(fact) : facts.remove(fact)) {
        events++;
      }
    }
  }

  private static Toggle like(Entity entity, long userId, boolean wanted) {
    return new Toggle(entity, LaneRig.LIKE, userId, wanted);
  }

  private void reapply() {
    List<Event> likes =
        Stream.of(FULL, PLAIN)
            .map(entity -> new Event(CLAIMED, LaneRig.LANE, 1, entity, LaneRig.LIKE, 103, 1, 1000))
            .toList();
    rig.reapply.run(LaneRig.LANE, CLAIMED, rig.seq(), 1000, likes);
  }

  private void fold() {
    assertThat(
            rig.fold.run(
                LaneRig.LANE,
                new FoldScript.Batch(rig.offset(), rig.offset() + pending.size(), 0, pending)))
        .isInstanceOf(FoldScript.Fold.Folded.class);
  }

  private Step rebuild(Entity entity, int shards) {
    return RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, entity, "walker", Mode.FORCE, LaneRig.steps(shards)));
  }

  private Step compare(Entity entity) {
    return RedisReplies.await(
        rig.rebuild.first(LaneRig.LANE, entity, "comparer", Mode.WRONG, LaneRig.steps(1000)));
  }

  /** The last step of a walk; what it counted must be the facts, with those that changed since. */
  private void finish(Entity entity) {
    Step step =
        RedisReplies.await(
            rig.rebuild.next(LaneRig.LANE, entity, "walker", Mode.FORCE, LaneRig.steps(1000)));
    if (step instanceof Step.Done done) {
      for (Metric metric : METRICS) {
        assertThat(done.totals().of(metric)).isEqualTo(count(entity, metric));
      }
    }
  }

  private void connect(RedisServer node) {
    rig = new LaneRig(redis, new Life(node.runId()), UnaryOperator.identity());
    view = new LaneView(rig);
  }

  private void begin(Moved moved) throws IOException {
    target.call("CLUSTER SETSLOT " + SLOT + " IMPORTING " + id(source));
    source.call("CLUSTER SETSLOT " + SLOT + " MIGRATING " + id(target));
    for (String key : moved.of(keys(source))) {
      migrate(key, source, target);
    }
    assertThat(keys(target).isEmpty()).isEqualTo(moved == Moved.NOTHING);
  }

  private void end() throws IOException {
    for (String key : keys(source)) {
      migrate(key, source, target);
    }
    owner = target;
    target.call("CLUSTER SETSLOT " + SLOT + " NODE " + id(target));
    for (RedisServer node : cluster.nodes()) {
      node.call("CLUSTER SETSLOT " + SLOT + " NODE " + id(target));
    }
    client.refreshPartitions();
  }

  private void takeBack() throws IOException {
    source.call("CLUSTER SETSLOT " + SLOT + " STABLE");
    for (String key : keys(target)) {
      migrate(key, target, source);
    }
    target.call("CLUSTER SETSLOT " + SLOT + " STABLE");
  }

  private static void migrate(String key, RedisServer from, RedisServer to) throws IOException {
    assertThat(from.call("MIGRATE 127.0.0.1 " + to.port() + " " + key + " 0 5000")).isEqualTo("OK");
  }

  /** Every key of the lane with its value, or with nothing if it is on the other node. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> data = new TreeMap<>();
    for (String key : keys(source)) {
      byte[] value = RedisReplies.await(commands(source).dump(LaneKeys.bytes(key)));
      data.put(key, HexFormat.of().formatHex(value));
    }
    keys(target).forEach(key -> data.merge(key, "", (here, there) -> "on both nodes"));
    return data;
  }

  private static List<String> keys(RedisServer node) throws IOException {
    return RedisReplies.await(commands(node).clusterGetKeysInSlot(SLOT, 1000)).stream()
        .map(LaneKeys::text)
        .sorted()
        .toList();
  }

  private static RedisClusterAsyncCommands<byte[], byte[]> commands(RedisServer node)
      throws IOException {
    return RedisReplies.await(redis.commandsOf(id(node)));
  }

  private static String id(RedisServer node) throws IOException {
    return node.call("CLUSTER MYID");
  }
}
