package dev.bitfold.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Lays out all faults of a run from its seed: the same seed, the same faults. */
final class Nemesis {

  private final Random random;
  private final ChaosForm form;

  Nemesis(long seed, ChaosForm form) {
    this.random = new Random(seed);
    this.form = form;
  }

  /** The faults of each round. */
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
    flushBeforeTheTopicIsGone(rounds);
    return rounds;
  }

  /** All kinds in a random order. */
  private List<FaultKind> shuffled() {
    List<FaultKind> kinds = new ArrayList<>(form.kinds());
    kinds.removeIf(kind -> form.soak() && kind.needsBothInstances());
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

  /** Once the topic is gone, an emptied Redis needs its copy: at first it must do without. */
  private static void flushBeforeTheTopicIsGone(List<List<FaultKind>> rounds) {
    int flushed = first(rounds, FaultKind.REDIS_FLUSHED);
    int deleted = first(rounds, FaultKind.TOPIC_DELETED);
    if (deleted >= 0 && deleted < flushed) {
      Collections.swap(rounds, flushed, deleted);
    }
  }

  private static int first(List<List<FaultKind>> rounds, FaultKind kind) {
    return IntStream.range(0, rounds.size())
        .filter(i -> rounds.get(i).contains(kind))
        .findFirst()
        .orElse(-1);
  }
}
