package dev.bitfold.rebuild;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.List;
import java.util.function.Consumer;

/**
 * Walks the keys of all nodes for the entities of a type: those with a counter, and those with
 * facts of a metric. In the background only; an entity may be shown more than once and a page may
 * be empty.
 */
class EntityScan {

  private final RedisNodes redis;
  private final RebuildSettings settings;

  EntityScan(RedisNodes redis, RebuildSettings settings) {
    this.redis = redis;
    this.settings = settings;
  }

  /** Entities of the type that have a counter, a page at a time. */
  void counters(String version, String type, Consumer<List<Entity>> page) {
    scan("cnt:{*}:" + version + ":" + type + ":*", page);
  }

  /** Entities of the type that have facts of the metric, a page at a time. */
  void facts(String metric, String type, Consumer<List<Entity>> page) {
    scan("shards:{*}:" + metric + ":" + type + ":*", page);
  }

  private void scan(String pattern, Consumer<List<Entity>> page) {
    ScanArgs args = ScanArgs.Builder.matches(LaneKeys.bytes(pattern)).limit(settings.scanCount());
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      KeyScanCursor<byte[]> found = RedisReplies.await(redis.commands().scan(cursor, args));
      page.accept(found.getKeys().stream().map(EntityScan::entity).toList());
      cursor = found;
    }
  }

  /** The last two parts of a key are the entity. */
  private static Entity entity(byte[] key) {
    String[] parts = LaneKeys.text(key).split(":");
    return new Entity(parts[parts.length - 2], parts[parts.length - 1]);
  }
}
