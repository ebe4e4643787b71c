package dev.bitfold.chaos;

import dev.bitfold.chaos.Operation.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a fact can be as it is found after what its callers were answered.
 *
 * <p>Answered operations on a fact follow each other, and each tells how the fact was before it. An
 * operation without an answer may have happened once at any time after it was sent, or not at all.
 * In a loss the fact may fall back, if somebody acted on it in the moments that were lost: to what
 * it was before them, or to what one of those operations wanted.
 */
final class Reachable {

  private final boolean first;
  private final List<Operation> operations;
  private final List<Loss> losses;

  /** How the fact may be, and how many unanswered operations of each kind that took. */
  private record Way(boolean holds, int liked, int unliked) {

    Way flip() {
      return holds ? new Way(false, liked, unliked + 1) : new Way(true, liked + 1, unliked);
    }
  }

  /**
   * The operations on one fact, in the order they were sent.
   *
   * @param first how it was before all of them
   * @param losses what Redis may have forgotten; none if every answer was durable
   */
  Reachable(boolean first, List<Operation> operations, List<Loss> losses) {
    this.first = first;
    this.operations = operations;
    this.losses = losses;
  }

  /** What is wrong with the fact being like that in the end; empty if nothing. */
  List<String> check(boolean found) {
    Set<Way> ways = Set.of(new Way(first, 0, 0));
    long since = Long.MIN_VALUE;
    for (Operation operation : operations) {
      if (!operation.answered()) {
        continue;
      }
      Set<Way> after = new HashSet<>();
      for (Way way : open(ways, since, operation.ended())) {
        if (way.holds() == operation.before()) {
          after.add(new Way(operation.wanted(), way.liked(), way.unliked()));
        }
      }
      if (after.isEmpty()) {
        return List.of("was answered " + operation.outcome() + " at " + operation.ended());
      }
      ways = after;
      since = operation.sent();
    }
    return open(ways, since, Long.MAX_VALUE).stream().anyMatch(way -> way.holds() == found)
        ? List.of()
        : List.of("is " + found + " in the end");
  }

  /** All ways things may stand at a time, after an answered operation that was sent earlier. */
  private Set<Way> open(Set<Way> ways, long since, long until) {
    int likes = unanswered(true, until);
    int unlikes = unanswered(false, until);
    Set<Boolean> fallbacks = new HashSet<>();
    losses.stream()
        .filter(loss -> undone(loss, since, until))
        .forEach(loss -> fallbacks.addAll(fallbacks(loss)));
    Set<Way> all = new HashSet<>(ways);
    List<Way> left = new ArrayList<>(ways);
    while (!left.isEmpty()) {
      Way way = left.remove(left.size() - 1);
      List<Way> next = new ArrayList<>();
      Way flipped = way.flip();
      if (flipped.liked() <= likes && flipped.unliked() <= unlikes) {
        next.add(flipped);
      }
      fallbacks.forEach(holds -> next.add(new Way(holds, way.liked(), way.unliked())));
      next.stream().filter(all::add).forEach(left::add);
    }
    return all;
  }

  private int unanswered(boolean wanted, long until) {
    return (int)
        operations.stream()
            .filter(operation -> operation.outcome() == Outcome.UNKNOWN)
            .filter(operation -> operation.wanted() == wanted && operation.sent() <= until)
            .count();
  }

  /** How the fact may be after a loss that it was touched by. */
  private Set<Boolean> fallbacks(Loss loss) {
    Set<Boolean> fallbacks = new HashSet<>();
    boolean known = first;
    for (Operation operation : operations) {
      if (loss.touches(operation)) {
        fallbacks.add(operation.wanted());
      } else if (operation.answered() && operation.ended() < loss.from()) {
        known = operation.wanted();
      }
    }
    fallbacks.add(known);
    return fallbacks;
  }

  /** Whether the loss may have undone the operation sent at {@code since}, seen until a time. */
  private boolean undone(Loss loss, long since, long until) {
    return since <= loss.end()
        && until >= loss.begin()
        && operations.stream().anyMatch(loss::touches);
  }
}
