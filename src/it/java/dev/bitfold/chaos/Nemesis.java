package dev.bitfold.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

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
    return rounds;
  }

  /** All kinds in a random order. Once the topic is gone, an emptied Redis needs its copy. */
  private List<FaultKind> shuffled() {
    List<FaultKind> kinds = new ArrayList<>(form.kinds());
    kinds.removeIf(kind -> form.soak() && kind.needsBothInstances());
    Collections.shuffle(kinds, random);
    int flushed = kinds.indexOf(FaultKind.REDIS_FLUSHED);
    int deleted = kinds.indexOf(FaultKind.TOPIC_DELETED);
    if (deleted >= 0 && deleted < flushed) {
      Collections.swap(kinds, flushed, deleted);
    }
    return kinds;
  }

  /** Puts kinds that fit together into rounds. */
  private List<List<FaultKind>> mixed(List<FaultKind> kinds) {
    List<List<FaultKind>> rounds = new ArrayList<>();
    for (FaultKind kind : kinds) {
      rounds.stream()
          .filter(round -> round.size() < form.together() && kind.fits(round))
          .findFirst()
          .ifPresentOrElse(
              round -> round.add(kind), () -> rounds.add(new ArrayList<>(List.of(kind))));
    }
    return rounds;
  }
}
