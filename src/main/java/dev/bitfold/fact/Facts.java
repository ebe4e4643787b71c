package dev.bitfold.fact;

import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.metric.Metric;
import dev.bitfold.platform.redis.RedisReplies;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The facts: who has which toggle metric on what. The truth that counters are held against. */
public class Facts {

  private final Lanes lanes;
  private final LaneCalls<Toggle, Applied> toggles;
  private final LaneCalls<Fact, List<Boolean>> status;
  private final CountScript count;
  private final FoldWait foldWait;
  private final AnswerHold answerHold;
  private final FactSettings settings;
  private final Counter issued;
  private final Counter unchanged;

  Facts(
      Lanes lanes,
      LaneCalls<Toggle, Applied> toggles,
      LaneCalls<Fact, List<Boolean>> status,
      CountScript count,
      FoldWait foldWait,
      AnswerHold answerHold,
      FactSettings settings,
      MeterRegistry meters) {
    this.lanes = lanes;
    this.toggles = toggles;
    this.status = status;
    this.count = count;
    this.foldWait = foldWait;
    this.answerHold = answerHold;
    this.settings = settings;
    this.issued = meters.counter("bitfold.fact.toggles", "change", "changed");
    this.unchanged = meters.counter("bitfold.fact.toggles", "change", "unchanged");
  }

  /**
   * Makes the facts be as wanted. Toggles of one lane are applied in their order and all or none,
   * but for those whose facts somebody has damaged; between lanes a failure may leave some applied.
   * Sending all again is safe.
   *
   * @return what each toggle did, in the order given
   */
  public List<Change> toggle(List<Toggle> toggles) {
    Map<Lane, List<Integer>> places = byLane(toggles, Toggle::entity);
    Map<Lane, CompletionStage<Applied>> calls = new LinkedHashMap<>();
    places.forEach(
        (lane, at) ->
            calls.put(
                lane,
                this.toggles
                    .ask(lane, at.stream().map(toggles::get).toList())
                    .thenApply(this::counted)));
    Change[] changes = new Change[toggles.size()];
    Map<Lane, Applied> applied = new HashMap<>();
    calls.forEach((lane, call) -> applied.put(lane, RedisReplies.await(call).whole()));
    applied.forEach(
        (lane, done) -> {
          List<Integer> at = places.get(lane);
          for (int i = 0; i < at.size(); i++) {
            changes[at.get(i)] = done.changes().get(i);
          }
        });
    if (settings.durability() == Durability.DURABLE) {
      applied.forEach((lane, done) -> foldWait.until(lane, done.epoch(), done.seq()));
    } else {
      answerHold.until(applied.values().stream().mapToLong(Applied::unfolded).max().orElse(0));
    }
    return Arrays.asList(changes);
  }

  private Applied counted(Applied applied) {
    issued.increment(applied.changed());
    unchanged.increment(applied.changes().size() - applied.changed());
    return applied;
  }

  /** Which of the metrics the user has on each entity, in the order given. */
  public List<Map<Metric, Boolean>> status(
      long userId, List<Entity> entities, List<Metric> metrics) {
    Map<Lane, List<Integer>> places = byLane(entities, Function.identity());
    Map<Lane, CompletionStage<List<Boolean>>> calls = new LinkedHashMap<>();
    places.forEach(
        (lane, at) ->
            calls.put(
                lane,
                status.ask(
                    lane,
                    at.stream()
                        .map(entities::get)
                        .flatMap(
                            entity ->
                                metrics.stream().map(metric -> new Fact(entity, metric, userId)))
                        .toList())));
    Map<Integer, Map<Metric, Boolean>> found = new HashMap<>();
    calls.forEach(
        (lane, call) -> {
          List<Boolean> holds = RedisReplies.await(call);
          List<Integer> at = places.get(lane);
          for (int i = 0; i < at.size(); i++) {
            Map<Metric, Boolean> ofEntity = new LinkedHashMap<>();
            for (int m = 0; m < metrics.size(); m++) {
              ofEntity.put(metrics.get(m), holds.get(i * metrics.size() + m));
            }
            found.put(at.get(i), ofEntity);
          }
        });
    return IntStream.range(0, entities.size()).mapToObj(found::get).toList();
  }

  /** Counts the facts now, in one step; nothing if they are too many shards for one step. */
  public Optional<Map<Metric, Long>> count(Entity entity, List<Metric> metrics) {
    return RedisReplies.await(count.run(lanes.of(entity), entity, metrics, settings.countShards()));
  }

  /** The positions of the things of each lane. */
  private <T> Map<Lane, List<Integer>> byLane(List<T> things, Function<T, Entity> entity) {
    return IntStream.range(0, things.size())
        .boxed()
        .collect(
            Collectors.groupingBy(
                i -> lanes.of(entity.apply(things.get(i))),
                LinkedHashMap::new,
                Collectors.toList()));
  }
}
