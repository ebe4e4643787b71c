package dev.bitfold.testkit;

import dev.bitfold.bucket.FoldScript;
import dev.bitfold.fact.Toggle;
import dev.bitfold.fact.ToggleScript;
import dev.bitfold.flush.FlushScript;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.ScriptText;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import dev.bitfold.outbox.OutboxReadScript;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.RebuildScript;
import dev.bitfold.rebuild.RebuildScript.Limits;
import dev.bitfold.recover.ClaimScript;
import dev.bitfold.recover.OpenScript;
import dev.bitfold.recover.OpenScript.Opening;
import dev.bitfold.recover.ReapplyScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A lane on a real Redis with all its scripts, whose life the test decides. Scripts of a rig that
 * was made for an earlier life behave as those of a caller who has not noticed the restart.
 */
public final class LaneRig {

  public static final Schema SCHEMA = Schema.CONTENT;
  public static final Metric LIKE = SCHEMA.toggle("like").orElseThrow();
  public static final Metric FAV = SCHEMA.toggle("fav").orElseThrow();
  public static final Lane LANE = new Lane(3);
  public static final String TOPIC = "topic-1";
  public static final String FIRST_LIFE = "life-1";
  public static final int NO_LIMIT = 1_000_000;

  /** So few ids in a sparse shard that there is a shard for each chunk. */
  public static final int SHARD_IDS = 1;

  /** So few counters in a page that it is split for one, and joined when it has none. */
  public static final int PAGE_COUNTERS = 0;

  public final RedisNodes redis;
  public final LaneScripts scripts;
  public final ToggleScript toggle;
  public final OutboxReadScript outbox;
  public final FoldScript fold;
  public final FlushScript flush;
  public final RebuildScript rebuild;
  public final ClaimScript claim;
  public final ReapplyScript reapply;
  public final OpenScript open;

  /** What the test says the life of Redis is now. */
  public static final class Life {
    private volatile String runId;

    public Life(String runId) {
      this.runId = runId;
    }

    public String runId() {
      return runId;
    }

    /** Redis starts again: no script is cached and its run_id is another. */
    public void begin(RedisNodes redis, String runId) {
      RedisReplies.await(redis.commands().scriptFlush());
      this.runId = runId;
    }
  }

  public LaneRig(RedisNodes redis, Life life, UnaryOperator<String> mutation) {
    this(redis, life, mutation, SHARD_IDS, PAGE_COUNTERS);
  }

  /**
   * A rig.
   *
   * @param shardIds most ids of a sparse shard
   * @param pageCounters most counters of a page
   */
  public LaneRig(
      RedisNodes redis, Life life, UnaryOperator<String> mutation, int shardIds, int pageCounters) {
    ScriptText text = ScriptText.of(SCHEMA, shardIds, pageCounters);
    this.redis = redis;
    this.scripts =
        new LaneScripts(
            redis,
            node -> CompletableFuture.completedFuture(life.runId),
            (LuaScript script, String runId) -> mutation.apply(text.of(script, runId)));
    this.toggle = new ToggleScript(scripts);
    this.outbox = new OutboxReadScript(scripts, SCHEMA);
    this.fold = new FoldScript(scripts);
    this.flush = new FlushScript(scripts);
    this.rebuild = new RebuildScript(scripts);
    this.claim = new ClaimScript(scripts);
    this.reapply = new ReapplyScript(scripts);
    this.open = new OpenScript(scripts);
  }

  /** Steps of a rebuild that count so many shards and compare with any number of events. */
  public static Limits steps(int shards) {
    return new Limits(shards, Duration.ofMinutes(10), NO_LIMIT);
  }

  /** A rig on an empty Redis whose lane is open in epoch 1. */
  public static LaneRig open() {
    return open(SHARD_IDS, PAGE_COUNTERS);
  }

  /** A rig on an empty Redis whose lane is open in epoch 1, with limits of shards and pages. */
  public static LaneRig open(int shardIds, int pageCounters) {
    LaneRig rig =
        new LaneRig(
            TestRedis.empty(),
            new Life(FIRST_LIFE),
            UnaryOperator.identity(),
            shardIds,
            pageCounters);
    rig.openIn(1);
    return rig;
  }

  public void openIn(long epoch) {
    claim.run(LANE, epoch, TOPIC);
    if (open.run(LANE, epoch, seq(), TOPIC, offset(), folded()) != Opening.OPEN) {
      throw new IllegalStateException("the lane does not open in epoch " + epoch);
    }
  }

  public ToggleScript.Applied toggle(Entity entity, Metric metric, long userId, boolean wanted) {
    return RedisReplies.await(
        toggle.run(LANE, List.of(new Toggle(entity, metric, userId, wanted)), 1000, NO_LIMIT));
  }

  /** Sends the whole outbox through the fold, as one batch from the given offset. */
  public FoldScript.Fold foldAll(long from) {
    var events = outbox.run(LANE, 0, NO_LIMIT).events();
    return fold.run(LANE, new FoldScript.Batch(from, from + events.size(), 0, events));
  }

  public long seq() {
    return number("lane:" + LANE.tag(), "seq");
  }

  /** The stored offset: where the next batch has to start. */
  public long offset() {
    return number("lane:" + LANE.tag(), "offset");
  }

  public long folded() {
    return number("folded:" + LANE.tag(), LANE.toString());
  }

  private long number(String key, String field) {
    byte[] digits =
        RedisReplies.await(redis.commands().hget(LaneKeys.bytes(key), LaneKeys.bytes(field)));
    return digits == null ? 0 : Long.parseLong(LaneKeys.text(digits));
  }

  /** Raw bytes of a counter, null if there is none. */
  public byte[] counter(Entity entity) {
    return new RawCounters(redis).get(LANE, entity);
  }
}
