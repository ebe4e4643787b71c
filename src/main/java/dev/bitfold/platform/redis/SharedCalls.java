package dev.bitfold.platform.redis;

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
 * Lets questions that come at the same time share a call. While as many calls as may be are under
 * way, questions gather, and the next call takes them along; without any under way a question goes
 * at once, so nobody waits for company. A call that fails fails for all who share it.
 *
 * @param <Q> question, of one or more items
 * @param <A> answer
 */
public final class SharedCalls<Q, A> {

  private final Function<List<Q>, CompletionStage<List<A>>> call;
  private final ToIntFunction<Q> items;
  private final Limits limits;
  private final Queue<Asked<Q, A>> waiting = new ArrayDeque<>();
  private int itemsWaiting;
  private int underWay;

  /**
   * How much may be shared.
   *
   * @param calls most calls under way at once
   * @param items most items of a call, unless a single question has more
   * @param waiting most items that wait for a call
   */
  public record Limits(int calls, int items, int waiting) {}

  private record Asked<Q, A>(Q question, CompletableFuture<A> answer) {}

  /**
   * Shared calls.
   *
   * @param call answers questions, each in its place
   * @param items counts the items of a question
   */
  public SharedCalls(
      Function<List<Q>, CompletionStage<List<A>>> call, ToIntFunction<Q> items, Limits limits) {
    this.call = call;
    this.items = items;
    this.limits = limits;
  }

  /** Asks; {@link TooManyWaitingException} if too much is waiting already. */
  public CompletionStage<A> ask(Q question) {
    Asked<Q, A> asked = new Asked<>(question, new CompletableFuture<>());
    List<Asked<Q, A>> next;
    synchronized (this) {
      if (itemsWaiting > 0 && itemsWaiting + items.applyAsInt(question) > limits.waiting()) {
        throw new TooManyWaitingException();
      }
      itemsWaiting += items.applyAsInt(question);
      waiting.add(asked);
      next = next();
    }
    send(next);
    return asked.answer();
  }

  /** Those who share the next call; nobody if none may be made now. */
  private List<Asked<Q, A>> next() {
    List<Asked<Q, A>> sharing = new ArrayList<>();
    if (underWay == limits.calls()) {
      return sharing;
    }
    int room = limits.items();
    while (!waiting.isEmpty()) {
      int size = items.applyAsInt(waiting.element().question());
      if (size > room && !sharing.isEmpty()) {
        break;
      }
      sharing.add(waiting.remove());
      room -= size;
      itemsWaiting -= size;
    }
    underWay += sharing.isEmpty() ? 0 : 1;
    return sharing;
  }

  private void send(List<Asked<Q, A>> sharing) {
    if (sharing.isEmpty()) {
      return;
    }
    CompletionStage<List<A>> answers;
    try {
      answers = call.apply(sharing.stream().map(Asked::question).toList());
    } catch (RuntimeException atOnce) {
      answers = CompletableFuture.failedStage(atOnce);
    }
    answers.whenComplete((all, failure) -> arrived(sharing, all, failure));
  }

  /** The next call goes before anybody hears of this one: so Redis does not wait for them. */
  private void arrived(
      List<Asked<Q, A>> sharing, @Nullable List<A> answers, @Nullable Throwable failure) {
    List<Asked<Q, A>> next;
    synchronized (this) {
      underWay--;
      next = next();
    }
    send(next);
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
