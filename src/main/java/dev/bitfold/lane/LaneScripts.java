package dev.bitfold.lane;

import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on the node of a lane. A writing script is loaded with the {@code run_id} of its
 * node in its text and called by its digest only, so a call prepared for an earlier life of the
 * node finds no script there and changes nothing.
 */
public class LaneScripts {

  private static final byte[][] NO_ARGS = new byte[0][];

  private final RedisNodes nodes;
  private final RunIds runIds;
  private final ScriptText text;
  private final ConcurrentMap<String, CompletableFuture<Life>> lives = new ConcurrentHashMap<>();

  /** Tells the {@code run_id} of a node. */
  @FunctionalInterface
  public interface RunIds {
    CompletionStage<String> of(RedisClusterAsyncCommands<byte[], byte[]> node);
  }

  public LaneScripts(RedisNodes nodes, RunIds runIds, ScriptText text) {
    this.nodes = nodes;
    this.runIds = runIds;
    this.text = text;
  }

  /**
   * One life of a node: its run_id and the digests of the scripts loaded so far.
   *
   * @param nonce makes the scripts of this object unlike those of any other
   */
  private record Life(
      String runId, String nonce, ConcurrentMap<String, CompletableFuture<String>> digests) {

    static Life of(String runId) {
      return new Life(runId, UUID.randomUUID().toString(), new ConcurrentHashMap<>());
    }
  }

  /** Runs a script and waits for its answer. */
  public Reply run(LuaScript script, Lane lane, List<String> args) {
    return RedisReplies.await(runAsync(script, lane, args));
  }

  /** Runs a script; fails with {@link LaneClosedException} if the node has begun another life. */
  public CompletionStage<Reply> runAsync(LuaScript script, Lane lane, List<String> args) {
    return started(() -> start(script, lane, args));
  }

  private CompletionStage<Reply> start(LuaScript script, Lane lane, List<String> args) {
    byte[] key = LaneKeys.lane(lane);
    byte[][] values = args.stream().map(LaneKeys::bytes).toArray(byte[][]::new);
    String node = nodes.nodeOf(key);
    AtomicReference<Life> prepared = new AtomicReference<>();
    return life(node)
        .thenCompose(
            life -> {
              prepared.set(life);
              return call(script, node, life, key, values);
            })
        .handle(
            (reply, failure) ->
                failure == null
                    ? CompletableFuture.completedStage(reply)
                    : again(script, lane, node, prepared.get(), key, values, failure))
        .thenCompose(stage -> stage);
  }

  /** After NOSCRIPT: the same life has lost its cache, or it is another life. */
  private CompletionStage<Reply> again(
      LuaScript script,
      Lane lane,
      String node,
      @Nullable Life prepared,
      byte[] key,
      byte[][] values,
      Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    if (prepared == null || !(cause instanceof RedisNoScriptException)) {
      return CompletableFuture.failedStage(failure);
    }
    lives.computeIfPresent(node, (id, known) -> known.getNow(prepared) == prepared ? null : known);
    String nodeNow = nodes.nodeOf(key);
    return life(nodeNow)
        .thenCompose(
            life ->
                script.readsOnly() || life.runId().equals(prepared.runId())
                    ? call(script, nodeNow, life, key, values)
                    : CompletableFuture.failedStage(new LaneClosedException(lane)));
  }

  private CompletionStage<Reply> call(
      LuaScript script, String node, Life life, byte[] key, byte[][] values) {
    return digest(script, node, life)
        .thenCompose(
            digest ->
                nodes
                    .commands()
                    .<List<Object>>evalsha(
                        digest,
                        ScriptOutputType.MULTI,
                        new byte[][] {key},
                        values.length == 0 ? NO_ARGS : values))
        .thenApply(Reply::new);
  }

  /**
   * Loads a script and makes sure that the life it was written for is still going on; only then may
   * its digest be called. The nonce keeps the digest from being loaded again by anybody, so that in
   * a later life nobody finds it.
   */
  private CompletableFuture<String> digest(LuaScript script, String node, Life life) {
    return shared(
        life.digests(),
        script.name(),
        () ->
            nodes
                .commandsOf(node)
                .thenCompose(
                    commands ->
                        commands
                            .scriptLoad(LaneKeys.bytes(written(script, life)))
                            .thenCompose(
                                digest ->
                                    runIds
                                        .of(commands)
                                        .thenApply(now -> usable(digest, life, now)))));
  }

  private String written(LuaScript script, Life life) {
    return text.of(script, life.runId()) + "-- loaded as " + life.nonce() + "\n";
  }

  private static String usable(String digest, Life life, String runIdNow) {
    if (!runIdNow.equals(life.runId())) {
      throw new RedisNoScriptException("the life it was written for is over");
    }
    return digest;
  }

  private CompletableFuture<Life> life(String node) {
    return shared(
        lives, node, () -> nodes.commandsOf(node).thenCompose(runIds::of).thenApply(Life::of));
  }

  /** What fails at once has failed too, and does not go on for ever. */
  private static <T> CompletionStage<T> started(Supplier<CompletionStage<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException atOnce) {
      return CompletableFuture.failedStage(atOnce);
    }
  }

  /** One load for all who need it; a failed one is forgotten. */
  private static <T> CompletableFuture<T> shared(
      ConcurrentMap<String, CompletableFuture<T>> cache,
      String key,
      Supplier<CompletionStage<T>> load) {
    CompletableFuture<T> known = cache.get(key);
    if (known != null) {
      return known;
    }
    CompletableFuture<T> mine = new CompletableFuture<>();
    CompletableFuture<T> other = cache.putIfAbsent(key, mine);
    if (other != null) {
      return other;
    }
    started(load)
        .whenComplete(
            (value, failure) -> {
              if (failure == null) {
                mine.complete(value);
              } else {
                cache.remove(key, mine);
                mine.completeExceptionally(failure);
              }
            });
    return mine;
  }
}
