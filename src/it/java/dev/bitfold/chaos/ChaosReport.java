package dev.bitfold.chaos;

import dev.bitfold.chaos.ChaosRun.Times;
import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.chaos.Faults.Span;
import dev.bitfold.chaos.Operation.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a run came to, line by line while it goes on and as a page in the end. */
final class ChaosReport {

  /** Where a run leaves what it has to say. */
  static final Path DIRECTORY = Path.of("target", "chaos");

  private static final int MOST_SHOWN = 20;

  private final long seed;
  private final ChaosForm form;
  private final String durability;
  private final Map<FaultKind, Kind> kinds = new EnumMap<>(FaultKind.class);
  private final Kind mixed = new Kind();
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, Long> codes = new TreeMap<>();
  private final List<long[]> memory = new ArrayList<>();
  private final long begun = System.nanoTime();
  private Map<String, Long> meters = Map.of();
  private Map<String, Long> calmMeters = Map.of();
  private long calling;
  private long answered;
  private long unknown;
  private long refused;
  private long readings;
  private int planned;
  private int idle;
  private String calm = "";
  private String calmLag = "";

  /**
   * Faults of a kind: how many, and how long it took to exact counts, in microseconds from the end
   * of the fault and from its beginning.
   */
  private static final class Kind {
    private int injected;
    private final List<Long> sinceEnd = new ArrayList<>();
    private final List<Long> sinceBegin = new ArrayList<>();

    private void exact(Times times, List<Span> faults) {
      sinceEnd.add(times.exact() - times.healed());
      faults.stream()
          .mapToLong(Span::begin)
          .min()
          .ifPresent(begin -> sinceBegin.add(times.exact() - begin));
    }

    private String row() {
      return row(sinceEnd) + " | " + row(sinceBegin);
    }

    private static String row(List<Long> micros) {
      List<Long> sorted = micros.stream().sorted().toList();
      return sorted.isEmpty()
          ? "– | –"
          : "%.1f s | %.1f s"
              .formatted(sorted.get(sorted.size() / 2) / 1e6, sorted.get(sorted.size() - 1) / 1e6);
    }
  }

  ChaosReport(long seed, ChaosForm form, String durability) {
    this.seed = seed;
    this.form = form;
    this.durability = durability;
  }

  void planned(List<List<FaultKind>> rounds) {
    planned = rounds.stream().mapToInt(List::size).sum();
    say(
        "chaos: -Dseed=%d, %d faults in %d rounds, %s"
            .formatted(seed, planned, rounds.size() - 1, durability));
  }

  void round(
      int number,
      List<FaultKind> faults,
      History history,
      Injuries injuries,
      Times times,
      List<Violation> found) {
    List<Span> met = injuries.spans().stream().filter(Span::met).toList();
    for (Span fault : met) {
      Kind kind = kinds.computeIfAbsent(fault.kind(), unseen -> new Kind());
      kind.injected++;
    }
    if (form.after(number, faults.size()) == 0 && !met.isEmpty()) {
      Kind kind = faults.size() == 1 ? kinds.get(faults.get(0)) : mixed;
      kind.exact(times, met);
    }
    idle += faults.size() - met.size();
    calling += history.micros();
    answered += history.count(Outcome.CHANGED) + history.count(Outcome.UNCHANGED);
    unknown += history.count(Outcome.UNKNOWN);
    refused += history.count(Outcome.REFUSED);
    readings += history.readings().size();
    history.codes().forEach((code, answers) -> codes.merge(code, answers, Long::sum));
    violations.addAll(found);
    say(
        "round %d: %s; %s, %d readings, %d damages; exact after %.1f s%s"
            .formatted(
                number,
                faults.isEmpty() ? "calm" : words(faults),
                new TreeMap<>(history.codes()),
                history.readings().size(),
                injuries.damages().size(),
                (times.exact() - times.healed()) / 1e6,
                found.isEmpty() ? "" : "; WRONG"));
    found.stream().limit(MOST_SHOWN).forEach(violation -> say("  " + violation));
    if (!found.isEmpty()) {
      history.write();
    }
  }

  /** Notes what callers see, and what the meters say, when nothing is broken. */
  void calm(History history, long oldest) {
    calmMeters = meters;
    calm =
        "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms"
            .formatted(history.latency(.5), history.latency(.9), history.latency(.99));
    calmLag = "%.2f s".formatted(oldest / 1e6);
    say("calm: answered in %s; counters at most %s old".formatted(calm, calmLag));
  }

  void failed(int number, List<FaultKind> faults, RuntimeException failure) {
    violations.add(
        new Violation(
            Violation.Kind.OTHER, "round %d, %s: %s".formatted(number, words(faults), failure)));
    say("round %d: %s: %s".formatted(number, words(faults), failure));
    failure.printStackTrace(System.out);
  }

  /** Notes how much memory is in use, in bytes: of the heap, of Redis, and of the process. */
  void memory(long heap, long redis, long process) {
    memory.add(new long[] {seconds(), heap, redis, process});
  }

  void meters(Map<String, Long> sums) {
    meters = sums;
  }

  int injected() {
    return kinds.values().stream().mapToInt(kind -> kind.injected).sum();
  }

  /** The kinds of faults that happened. */
  Set<FaultKind> kinds() {
    return kinds.keySet();
  }

  /**
   * The branches that the services took since things were broken; all lanes recover at the start.
   */
  List<Branch> branches() {
    return Arrays.stream(Branch.values())
        .filter(
            branch ->
                meters.getOrDefault(branch.meter(), 0L)
                    > calmMeters.getOrDefault(branch.meter(), 0L))
        .toList();
  }

  List<Violation> violations() {
    return violations;
  }

  /**
   * How much more memory is in use at the end of the run than at its beginning, as a ratio: of the
   * service and of Redis. The first rounds, in which everything is new, do not count.
   */
  List<Double> growth() {
    int third = memory.size() / 3;
    List<Double> growth = new ArrayList<>();
    for (int column = 1; column <= 2; column++) {
      double early = mean(memory.subList(2, 2 + third), column);
      double late = mean(memory.subList(memory.size() - third, memory.size()), column);
      growth.add(late / early);
    }
    return growth;
  }

  private static double mean(List<long[]> samples, int column) {
    return samples.stream().mapToLong(sample -> sample[column]).average().orElseThrow();
  }

  private long seconds() {
    return (System.nanoTime() - begun) / 1_000_000_000;
  }

  private long count(Violation.Kind kind) {
    return violations.stream().filter(violation -> violation.kind() == kind).count();
  }

  /** The page, in Markdown. */
  String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Chaos run, seed %d, %s\n\n".formatted(seed, durability));
    page.append("| what | |\n|---|---|\n");
    row(page, "faults injected", injected());
    row(page, "faults that met nothing to harm", idle);
    row(page, "minutes", "%.1f".formatted(seconds() / 60.0));
    row(page, "operations answered", answered);
    row(page, "operations answered a second", answered / Math.max(1, calling / 1_000_000));
    row(page, "operations without an answer", unknown);
    row(page, "operations refused", refused);
    row(page, "counts read", readings);
    row(page, "lost", count(Violation.Kind.LOST));
    row(page, "counted twice", count(Violation.Kind.DOUBLE));
    row(page, "wrong", count(Violation.Kind.WRONG));
    row(page, "corrections without line, lines without reason", count(Violation.Kind.AUDIT));
    row(page, "other", count(Violation.Kind.OTHER));
    row(page, "operations answered in, without faults", calm);
    row(page, "oldest count shown, without faults", calmLag);
    page.append("\nExact again, in seconds after the end of the fault and after its beginning:\n");
    page.append("\n| fault | injected | after its end, median | longest ");
    page.append("| after its beginning, median | longest |\n|---|---|---|---|---|---|\n");
    kinds.forEach(
        (kind, times) ->
            page.append("| %s | %d | %s |\n".formatted(kind.words(), times.injected, times.row())));
    page.append("| rounds of several | %d | %s |\n".formatted(mixed.sinceEnd.size(), mixed.row()));
    page.append("\nAnswers: %s\n\nMeters: %s\n".formatted(codes, meters));
    if (form.soak()) {
      page.append(
          "\n| second | heap of the first instance, MB | Redis, MB | process, MB |\n|---|---|---|---|\n");
      memory.forEach(
          sample ->
              page.append(
                  "| %d | %.1f | %.1f | %.1f |\n"
                      .formatted(
                          sample[0],
                          sample[1] / 1048576.0,
                          sample[2] / 1048576.0,
                          sample[3] / 1048576.0)));
    }
    violations.forEach(violation -> page.append("\n- ").append(violation));
    return page.toString();
  }

  void write() {
    Path file = DIRECTORY.resolve("report.md");
    write(file, page());
    say("chaos: the report is " + file);
  }

  static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void row(StringBuilder page, String what, Object value) {
    page.append("| %s | %s |\n".formatted(what, value));
  }

  private static String words(List<FaultKind> faults) {
    return String.join(" + ", faults.stream().map(FaultKind::words).toList());
  }

  private void say(String line) {
    System.out.printf(Locale.ROOT, "%4d s  %s%n", seconds(), line);
  }
}
