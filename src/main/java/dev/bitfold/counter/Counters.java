package dev.bitfold.counter;

import dev.bitfold.counter.SharedReads.Field;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The counters in Redis, to be read; scripts write them. */
public class Counters {

  private final RedisNodes redis;
  private final Lanes lanes;
  private final CounterPages pages;
  private final PageScript page;
  private final Schema schema;
  private final SharedReads reads;
  private final CounterCodec codec;

  Counters(
      RedisNodes redis,
      Lanes lanes,
      CounterPages pages,
      PageScript page,
      Schema schema,
      SharedReads reads) {
    this.redis = redis;
    this.lanes = lanes;
    this.pages = pages;
    this.page = page;
    this.schema = schema;
    this.reads = reads;
    this.codec = new CounterCodec(schema);
  }

  /**
   * The counters in the order asked, in one round trip a node, shared with others who ask at the
   * same time; nothing where there is no good one.
   */
  public List<Optional<Totals>> get(List<Entity> entities) {
    List<Field> fields = fields(entities);
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      places
          .computeIfAbsent(redis.nodeOf(fields.get(i).page()), unseen -> new ArrayList<>())
          .add(i);
    }
    Map<String, CompletionStage<List<byte @Nullable []>>> calls = new LinkedHashMap<>();
    places.forEach(
        (node, at) -> calls.put(node, reads.of(node, at.stream().map(fields::get).toList())));
    List<Optional<Totals>> totals =
        new ArrayList<>(Collections.nCopies(entities.size(), Optional.empty()));
    calls.forEach(
        (node, call) -> {
          List<byte @Nullable []> counters = RedisReplies.await(call);
          List<Integer> at = places.get(node);
          for (int i = 0; i < at.size(); i++) {
            totals.set(at.get(i), codec.decode(counters.get(i)));
          }
        });
    return totals;
  }

  private List<Field> fields(List<Entity> entities) {
    List<Lane> ofEntities = entities.stream().map(lanes::of).toList();
    int[] counts = pages.of(ofEntities);
    List<Field> fields = new ArrayList<>(entities.size());
    for (int i = 0; i < counts.length; i++) {
      int number = CounterPages.pageOf(entities.get(i), counts[i]);
      fields.add(
          new Field(
              LaneKeys.counters(ofEntities.get(i), schema, number),
              LaneKeys.bytes(entities.get(i).toString())));
    }
    return fields;
  }

  /** A counter that seems to be missing may be there: its lane may have other pages by now. */
  public void lookAgain(Entity entity) {
    pages.forget(lanes.of(entity));
  }

  /** A walk over all counters of the lanes. */
  public CounterWalk walk(Collection<Lane> lanes) {
    return new CounterWalk(page, lanes);
  }
}
