package dev.bitfold.rebuild;

import dev.bitfold.counter.CounterWalk;
import dev.bitfold.counter.Counters;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Walks over entities in the background: those with a counter, lane by lane, and those with facts
 * of a metric, over the keys of all nodes. An entity may be shown more than once and a page may be
 * empty.
 */
public class EntityScan {

  /** Parts of a key that ends in an entity, such as {@code ids:{17}:like:post:42}. */
  private static final int PARTS = 5;

  private final RedisNodes redis;
  private final Lanes lanes;
  private final Counters counters;
  private final Vocabulary vocabulary;
  private final RebuildSettings settings;

  EntityScan(
      RedisNodes redis,
      Lanes lanes,
      Counters counters,
      Vocabulary vocabulary,
      RebuildSettings settings) {
    this.redis = redis;
    this.lanes = lanes;
    this.counters = counters;
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  /** One walk, a page at a time; it can be left and taken up again. One thread. */
  public interface Walk {

    boolean ended();

    /** Whether nothing that is left could be read of late. */
    default boolean stuck() {
      return false;
    }

    /** The next page. After a failure the walk may go on, and shows everything all the same. */
    List<Entity> next();

    default void each(Consumer<List<Entity>> page) {
      while (!ended()) {
        page.accept(next());
      }
    }
  }

  /** Entities of the lanes that have a counter, also of types that are no longer configured. */
  public Walk counters(Collection<Lane> lanes) {
    return new Pages(counters.walk(lanes));
  }

  /** Entities that have a counter, in all lanes. */
  Walk counters() {
    return counters(lanes.all());
  }

  /** Entities of the type that have facts of the metric: a directory, or a first shard alone. */
  Walk facts(String metric, String type) {
    return new Keys("*:{*}:" + metric + ":" + type + ":*");
  }

  private final class Pages implements Walk {

    private final CounterWalk walk;

    Pages(CounterWalk walk) {
      this.walk = walk;
    }

    @Override
    public boolean ended() {
      return walk.ended();
    }

    @Override
    public boolean stuck() {
      return walk.stuck();
    }

    @Override
    public List<Entity> next() {
      return walk.next().stream().flatMap(name -> entity(name.split(":", -1), 2)).toList();
    }
  }

  private final class Keys implements Walk {

    private final ScanArgs args;
    private ScanCursor cursor = ScanCursor.INITIAL;

    Keys(String pattern) {
      this.args = ScanArgs.Builder.matches(LaneKeys.bytes(pattern)).limit(settings.scanCount());
    }

    @Override
    public boolean ended() {
      return cursor.isFinished();
    }

    @Override
    public List<Entity> next() {
      KeyScanCursor<byte[]> page = RedisReplies.await(redis.commands().scan(cursor, args));
      cursor = page;
      return page.getKeys().stream()
          .flatMap(key -> entity(LaneKeys.text(key).split(":", -1), PARTS))
          .toList();
    }
  }

  /** The last two of so many parts are the entity; a name that is none of ours has none. */
  private Stream<Entity> entity(String[] name, int parts) {
    try {
      return name.length == parts
          ? Stream.of(vocabulary.writtenEntity(name[parts - 2], name[parts - 1]))
          : Stream.empty();
    } catch (InvalidInput notOurs) {
      return Stream.empty();
    }
  }
}
