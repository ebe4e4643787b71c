package dev.bitfold.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a run is laid out.
 *
 * @param kinds what may happen
 * @param faults how many faults in all; the last round may add a few, and so may the one beside the
 *     pipeline
 * @param alone whether every kind first gets a round of its own
 * @param together most faults of a mixed round
 * @param spacing milliseconds from one fault of a round to the next
 * @param after milliseconds that callers go on after the faults, every few rounds
 * @param pace operations a second
 * @param reads reads a second
 * @param singles in ten calls, how many carry one action only
 * @param batch most actions of the others
 * @param soak the first instance lives through the whole run, and memory is watched
 */
record ChaosForm(
    List<FaultKind> kinds,
    int faults,
    boolean alone,
    int together,
    int spacing,
    int after,
    int pace,
    int reads,
    int singles,
    int batch,
    boolean soak) {

  private static final int FEW_ROUNDS = 8;

  private static final List<FaultKind> ALL = List.of(FaultKind.values());

  /** Every kind at least once, in about three minutes. */
  static final ChaosForm SHORT =
      new ChaosForm(ALL, ALL.size(), false, 4, 1_500, 0, 400, 60, 6, 10, false);

  /** Every kind alone, then mixed until there were enough. */
  static final ChaosForm LONG =
      new ChaosForm(ALL, 550, true, 4, 1_500, 14_000, 400, 60, 6, 10, false);

  /** What does not send most of the log through the lanes again, nor stops the first instance. */
  private static final List<FaultKind> WITHOUT_A_LONG_RECOVERY =
      ALL.stream()
          .filter(kind -> !kind.needsBothInstances())
          .filter(kind -> kind != FaultKind.REDIS_FLUSHED && kind != FaultKind.REDIS_OLDER_COPY)
          .toList();

  /**
   * Fifteen minutes under load, a fault every ten seconds with the time that comparing takes. Under
   * this load a recovery from the whole log takes minutes.
   */
  static final ChaosForm SOAK =
      new ChaosForm(WITHOUT_A_LONG_RECOVERY, 90, false, 6, 6_000, 0, 6_000, 100, 2, 200, true);

  /**
   * The form asked for with {@code -Dchaos.form=}, {@code -Dchaos.faults=} and {@code
   * -Dchaos.kinds=}, which names the only kinds that may happen.
   */
  static ChaosForm asked() {
    ChaosForm form =
        switch (System.getProperty("chaos.form", "short")) {
          case "long" -> LONG;
          case "soak" -> SOAK;
          default -> SHORT;
        };
    String kinds = System.getProperty("chaos.kinds", "");
    String faults = System.getProperty("chaos.faults", "");
    return form.with(
        kinds.isEmpty()
            ? form.kinds
            : Arrays.stream(kinds.toUpperCase(Locale.ROOT).split(","))
                .map(FaultKind::valueOf)
                .toList(),
        faults.isEmpty() ? form.faults : Integer.parseInt(faults));
  }

  /**
   * Milliseconds that callers go on after the faults of a round, if there are several: those alone
   * tell how long it takes to exact counts.
   */
  int after(int round, int faults) {
    return round % FEW_ROUNDS == 0 && faults != 1 ? after : 0;
  }

  /** Whether there are so many faults that every kind must happen. */
  boolean complete() {
    return faults >= kinds.size();
  }

  /** The branches that its kinds of faults lead to. */
  List<Branch> branches() {
    return Arrays.stream(Branch.values()).filter(branch -> kinds.contains(branch.cause())).toList();
  }

  private ChaosForm with(List<FaultKind> kinds, int faults) {
    return new ChaosForm(
        kinds, faults, alone, together, spacing, after, pace, reads, singles, batch, soak);
  }
}
