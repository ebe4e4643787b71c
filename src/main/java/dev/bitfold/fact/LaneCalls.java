package dev.bitfold.fact;

import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.SharedCalls;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What callers ask of a lane at the same time shares a script call. Each lane has one call under
 * way and a queue of its own, so a lane with much to do does not hold up others.
 *
 * @param <T> a fact, or what it is to be
 * @param <A> what a call answers
 */
final class LaneCalls<T, A> {

  /** So one call is under way at a time. */
  private static final int UNDER_WAY = 1;

  private final Script<T, A> script;
  private final Part<A> part;
  private final List<SharedCalls<List<T>, A>> lanes;

  /** Runs a script of a lane. */
  @FunctionalInterface
  interface Script<T, A> {
    CompletionStage<A> run(Lane lane, List<T> facts);
  }

  /** Takes the part about some of the facts out of the answer about all. */
  @FunctionalInterface
  interface Part<A> {
    A of(A answer, int from, int to);
  }

  LaneCalls(Script<T, A> script, Part<A> part, Lanes lanes, FactSettings settings, Clock clock) {
    this.script = script;
    this.part = part;
    var limits = new SharedCalls.Limits(UNDER_WAY, settings.sharedFacts(), settings.waitingFacts());
    this.lanes =
        lanes.all().stream()
            .map(
                lane ->
                    new SharedCalls<List<T>, A>(
                        sharing -> call(lane, sharing), List::size, limits, clock))
            .toList();
  }

  /** Asks for facts of a lane, all in one call; others may share it. */
  CompletionStage<A> ask(Lane lane, List<T> facts) {
    return lanes.get(lane.number()).ask(facts);
  }

  private CompletionStage<List<A>> call(Lane lane, List<List<T>> sharing) {
    return script
        .run(lane, sharing.stream().flatMap(List::stream).toList())
        .thenApply(answer -> parts(answer, sharing));
  }

  private List<A> parts(A answer, List<List<T>> sharing) {
    List<A> parts = new ArrayList<>(sharing.size());
    int from = 0;
    for (List<T> facts : sharing) {
      int to = from + facts.size();
      parts.add(part.of(answer, from, to));
      from = to;
    }
    return parts;
  }
}
