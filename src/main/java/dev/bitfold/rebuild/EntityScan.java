package dev.bitfold.rebuild;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Walks the keys of all nodes for entities: those with a counter, and those with facts of a metric.
 * In the background only; an entity may be shown more than once and a page may be empty.
 */
public class EntityScan {

  /** Parts of a key that ends in an entity, such as {@code cnt:{17}:v1:post:42}. */
  private static final int PARTS = 5;

  private final RedisNodes redis;
  private final Vocabulary vocabulary;
  private final RebuildSettings settings;

  EntityScan(RedisNodes redis, Vocabulary vocabulary, RebuildSettings settings) {
    this.redis = redis;
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  /** Entities that have a counter, also of types that are no longer configured. */
  public Walk counters() {
    return new Walk("cnt:{*}:" + vocabulary.schema().version() + ":*");
  }

  /** Entities of the type that have a counter. */
  Walk counters(String type) {
    return new Walk("cnt:{*}:" + vocabulary.schema().version() + ":" + type + ":*");
  }

  /** Entities of the type that have facts of the metric: a directory, or a first shard alone. */
  Walk facts(String metric, String type) {
    return new Walk("*:{*}:" + metric + ":" + type + ":*");
  }

  /** One walk over all keys, a page at a time; it can be left and taken up again. One thread. */
  public final class Walk {

    private final ScanArgs args;
    private ScanCursor cursor = ScanCursor.INITIAL;

    private Walk(String pattern) {
      this.args = ScanArgs.Builder.matches(LaneKeys.bytes(pattern)).limit(settings.scanCount());
    }

    public boolean ended() {
      return cursor.isFinished();
    }

    /** The next page. After a failure the walk stands where it stood. */
    public List<Entity> next() {
      KeyScanCursor<byte[]> page = RedisReplies.await(redis.commands().scan(cursor, args));
      cursor = page;
      return page.getKeys().stream().flatMap(EntityScan.this::entity).toList();
    }

    void each(Consumer<List<Entity>> page) {
      while (!ended()) {
        page.accept(next());
      }
    }
  }

  /** The last two parts of a key are the entity; a key that is none of ours has none. */
  private Stream<Entity> entity(byte[] key) {
    String[] parts = LaneKeys.text(key).split(":", -1);
    try {
      return parts.length == PARTS
          ? Stream.of(vocabulary.writtenEntity(parts[PARTS - 2], parts[PARTS - 1]))
          : Stream.empty();
    } catch (InvalidInput notOurs) {
      return Stream.empty();
    }
  }
}
