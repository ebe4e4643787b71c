package dev.bitfold.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Lays out all faults of a run from its seed: the same seed, the same faults. */
final class Nemesis {

  private final Random random;
  private final ChaosForm form;

  Nemesis(long seed, ChaosForm form) {
    this.random = new Random(seed);
    this.form = form;
  }

  /**
   * The faults of each round. At least one round has only kinds beside the pipeline, so that it is
   * held to what holds when nothing is broken.
   */
  List<List<FaultKind>> rounds() {
    List<List<FaultKind>> rounds = new ArrayList<>();
    int planned = 0;
    if (form.alone()) {
      for (FaultKind kind : shuffled()) {
        rounds.add(List.of(kind));
        planned++;
      }
    }
    while (planned < form.faults()) {
      for (List<FaultKind> round : mixed(shuffled())) {
        if (planned < form.faults()) {
          rounds.add(round);
          planned += round.size();
        }
      }
    }
    List<List<FaultKind>> ordered = topicsLast(rounds);
    if (form.complete() && !form.soak() && ordered.stream().noneMatch(Nemesis::beside)) {
      mixed(shuffled().stream().filter(kind -> beside(List.of(kind))).collect(Collectors.toList()))
          .stream()
          .findFirst()
          .ifPresent(round -> ordered.add(0, round));
    }
    return ordered;
  }

  /** Whether the pipeline goes on as before in the round: then counters may not lag more. */
  private static boolean beside(List<FaultKind> round) {
    return round.stream().noneMatch(FaultKind::stallsCounters);
  }

  /** All kinds in a random order. */
  private List<FaultKind> shuffled() {
    List<FaultKind> kinds = new ArrayList<>(form.kinds());
    Collections.shuffle(kinds, random);
    return kinds;
  }

  /** Puts kinds that fit together into few rounds: those that need most find their place first. */
  private List<List<FaultKind>> mixed(List<FaultKind> kinds) {
    List<List<FaultKind>> rounds = new ArrayList<>();
    kinds.sort(Comparator.comparingInt(FaultKind::needs).reversed());
    for (FaultKind kind : kinds) {
      rounds.stream()
          .filter(round -> round.size() < form.together() && kind.fits(round))
          .findFirst()
          .ifPresentOrElse(
              round -> round.add(kind), () -> rounds.add(new ArrayList<>(List.of(kind))));
    }
    Collections.shuffle(rounds, random);
    return rounds;
  }

  /**
   * Once the topic is gone, an emptied Redis needs its copy. So the topic is kept for two thirds of
   * the run, and until Redis was emptied once: until then it must do without.
   */
  private List<List<FaultKind>> topicsLast(List<List<FaultKind>> rounds) {
    List<List<FaultKind>> ordered = new ArrayList<>(rounds);
    ordered.removeIf(round -> round.contains(FaultKind.TOPIC_DELETED));
    int flushed = 0;
    while (flushed < ordered.size() && !ordered.get(flushed).contains(FaultKind.REDIS_FLUSHED)) {
      flushed++;
    }
    int earliest = Math.max(2 * ordered.size() / 3, Math.min(flushed + 1, ordered.size()));
    for (List<FaultKind> round : rounds) {
      if (round.contains(FaultKind.TOPIC_DELETED)) {
        ordered.add(earliest + random.nextInt(ordered.size() - earliest + 1), round);
      }
    }
    return ordered;
  }
}
