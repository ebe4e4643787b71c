package dev.bitfold.platform.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets questions that come at the same time share a call. While as much as may be is under way,
 * questions gather, and the next call takes them along; while less is, a question goes at once, so
 * nobody waits for company. A call that fails fails for all who share it. A question that has
 * waited as long as a call may last is refused when its turn comes: behind calls that all fail
 * late, its caller would have gone long ago.
 *
 * @param <Q> question, of one or more items
 * @param <A> answer
 */
public final class SharedCalls<Q, A> {

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Function<List<Q>, CompletionStage<List<A>>> call;
  private final ToIntFunction<Q> items;
  private final Limits limits;
  private final Clock clock;
  private final Queue<Asked<Q, A>> waiting = new ArrayDeque<>();
  private int itemsWaiting;
  private int underWay;

  /**
   * How much may be shared.
   *
   * @param underWay with so many items under way, no call is made
   * @param items most items of a call, unless a single question has more
   * @param waiting most items that wait for a call
   */
  public record Limits(int underWay, int items, int waiting) {}

  private record Asked<Q, A>(Q question, long at, CompletableFuture<A> answer) {}

  /** What is to be done with questions that waited. */
  private record Turn<Q, A>(List<Asked<Q, A>> sharing, List<Asked<Q, A>> late) {}

  private int items(List<Asked<Q, A>> sharing) {
    return sharing.stream().map(Asked::question).mapToInt(items).sum();
  }

  /**
   * Shared calls.
   *
   * @param call answers questions, each in its place
   * @param items counts the items of a question
   */
  public SharedCalls(
      Function<List<Q>, CompletionStage<List<A>>> call,
      ToIntFunction<Q> items,
      Limits limits,
      Clock clock) {
    this.call = call;
    this.items = items;
    this.limits = limits;
    this.clock = clock;
  }

  /** Asks; {@link TooManyWaitingException} if too much is waiting already. */
  public CompletionStage<A> ask(Q question) {
    Asked<Q, A> asked = new Asked<>(question, clock.millis(), new CompletableFuture<>());
    Turn<Q, A> next;
    synchronized (this) {
      if (itemsWaiting > 0 && itemsWaiting + items.applyAsInt(question) > limits.waiting()) {
        throw new TooManyWaitingException("too many calls wait for Redis");
      }
      itemsWaiting += items.applyAsInt(question);
      waiting.add(asked);
      next = next();
    }
    take(next);
    return asked.answer();
  }

  /** Those who share the next call, if one may be made now. */
  private Turn<Q, A> next() {
    Turn<Q, A> turn = new Turn<>(new ArrayList<>(), new ArrayList<>());
    if (underWay >= limits.underWay()) {
      return turn;
    }
    long tooEarly = clock.millis() - LONGEST_WAIT.toMillis();
    int room = limits.items();
    while (!waiting.isEmpty()) {
      int size = items.applyAsInt(waiting.element().question());
      boolean late = waiting.element().at() < tooEarly;
      if (!late && size > room && !turn.sharing().isEmpty()) {
        break;
      }
      (late ? turn.late() : turn.sharing()).add(waiting.remove());
      room -= late ? 0 : size;
      itemsWaiting -= size;
    }
    underWay += items(turn.sharing());
    return turn;
  }

  private void take(Turn<Q, A> turn) {
    send(turn.sharing());
    turn.late()
        .forEach(
            asked ->
                asked
                    .answer()
                    .completeExceptionally(
                        new TooManyWaitingException("calls waited too long for Redis")));
  }

  private void send(List<Asked<Q, A>> sharing) {
    if (sharing.isEmpty()) {
      return;
    }
    CompletionStage<List<A>> answers;
    try {
      answers = call.apply(sharing.stream().map(Asked::question).toList());
    } catch (RuntimeException | Error atOnce) {
      answers = CompletableFuture.failedStage(atOnce);
    }
    answers.whenComplete((all, failure) -> arrived(sharing, all, failure));
  }

  /** The next call goes before anybody hears of this one: so Redis does not wait for them. */
  private void arrived(
      List<Asked<Q, A>> sharing, @Nullable List<A> answers, @Nullable Throwable failure) {
    Turn<Q, A> next;
    synchronized (this) {
      underWay -= items(sharing);
      next = next();
    }
    take(next);
    for (int i = 0; i < sharing.size(); i++) {
      CompletableFuture<A> answer = sharing.get(i).answer();
      if (answers != null) {
        answer.complete(answers.get(i));
      } else if (failure != null) {
        answer.completeExceptionally(failure);
      }
    }
  }
}
