package dev.bitfold.chaos;

import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.Instance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * One run: rounds of calls and faults, each compared when it is quiet. Ends with the first that
 * fails.
 */
final class ChaosRun implements AutoCloseable {

  /** Longer than a counter may lag. */
  private static final long CALM_MILLIS = 2 * Lag.STATED / 1000;

  private static final int LOOK_MILLIS = 500;

  /**
   * How often what led nowhere is played again before the run is one that proves nothing. A killed
   * Kafka makes the relay go back less than every second time.
   */
  private static final int MOST_TIMES_AGAIN = 8;

  private static final Set<String> UNTROUBLED =
      Set.of("ok", "read ok", Callers.LATE, "read " + Callers.LATE);

  private final long seed;
  private final ChaosForm form;
  private final boolean durable;
  private final Deployment deployment;
  private final People people;
  private final Faults faults;
  private final Meters meters;
  private final AuditTrail audit = new AuditTrail();
  private final ChaosReport report;
  private long corrected;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new CustomizableThreadFactory("nemesis-"));

  ChaosRun(Path jar, long seed, ChaosForm form, String durability) {
    this.seed = seed;
    this.form = form;
    this.durable = durability.equals("durable");
    this.report = new ChaosReport(seed, form, durability);
    this.people = new People(seed);
    this.deployment =
        Deployment.start(
            FreshDirectory.named("chaos"), jar, Map.of("bitfold.fact.durability", durability));
    this.meters = new Meters(deployment.instances);
    this.faults = new Faults(deployment, people, meters, form.soak());
  }

  /** Plays the run and tells how it went. */
  ChaosReport run() {
    List<List<FaultKind>> rounds = new ArrayList<>();
    rounds.add(List.of()); // a calm one, to see what a caller sees without faults
    rounds.addAll(new Nemesis(seed, form).rounds());
    report.planned(rounds);
    int again = 0;
    for (int number = 0; number < rounds.size() && report.violations().isEmpty(); number++) {
      try {
        round(number, rounds.get(number));
      } catch (RuntimeException failed) {
        report.failed(number, rounds.get(number), failed);
      }
      if (form.complete() && number == rounds.size() - 1 && again++ < MOST_TIMES_AGAIN) {
        rounds.addAll(onceMore());
      }
    }
    return report;
  }

  /** A round for each kind that met nothing to harm until now, or led nowhere. */
  private List<List<FaultKind>> onceMore() {
    return Stream.concat(
            form.kinds().stream().filter(kind -> !report.kinds().contains(kind)),
            form.branches().stream()
                .filter(branch -> !report.branches().contains(branch))
                .map(Branch::cause))
        .distinct()
        .map(List::of)
        .toList();
  }

  private void round(int number, List<FaultKind> kinds) {
    deployment.redis.keepCopy();
    try (Callers callers = new Callers(people, deployment.instances, form, durable)) {
      try {
        round(number, kinds, callers);
      } catch (RuntimeException failed) {
        callers.told().write();
        throw failed;
      }
    }
  }

  private void round(int number, List<FaultKind> kinds, Callers callers) {
    callers.start(seed + 1000L * number);
    Future<?> looking = threads.submit(this::lookUntilInterrupted);
    List<CompletableFuture<?>> running = new ArrayList<>();
    pause(kinds.isEmpty() ? CALM_MILLIS : form.spacing() / 2);
    for (int i = 0; i < kinds.size(); i++) {
      FaultKind kind = kinds.get(i);
      Random random = new Random(seed + 1000L * number + 10L + i);
      running.add(CompletableFuture.runAsync(() -> faults.run(kind, random), threads));
      pause(form.spacing());
    }
    try {
      running.forEach(CompletableFuture::join);
    } catch (CompletionException failed) {
      throw new IllegalStateException("a fault could not be done", failed.getCause());
    } finally {
      looking.cancel(true);
    }
    long healed = Callers.now();
    pause(form.after(number, kinds.size()));
    History history = callers.stop();
    new Quiet(deployment).await();
    long exact = Callers.now();
    deployment.awaitOpen();
    Injuries injuries = faults.taken();
    var http = deployment.instances.get(number % deployment.instances.size()).http();
    Comparison comparison = new Comparison(people, deployment.instances, durable);
    comparison.ask();
    new Quiet(deployment).await();
    meters.look();
    List<AuditTrail.Line> corrections = audit.news(http);
    List<Violation> violations = new ArrayList<>(comparison.of(history, injuries, corrections));
    violations.addAll(AuditTrail.check(corrections, injuries));
    violations.addAll(troubles(kinds, history));
    violations.addAll(untold(corrections, injuries));
    report.meters(meters.sums());
    if (kinds.isEmpty()) {
      report.calm(history, comparison.oldest());
    }
    report.round(number, kinds, history, injuries, new Times(healed, exact), violations);
    if (form.soak()) {
      Instance first = deployment.instances.get(0);
      report.memory(first.heap(), deployment.redis.memory(), first.resident());
    }
  }

  /** When faults were over and when everything was exact, in microseconds since 1970. */
  record Times(long healed, long exact) {}

  /**
   * Corrections that no line tells of. What an instance counted just before it was killed may be
   * missing here, and what Redis forgot may have been corrected twice.
   */
  private List<Violation> untold(List<AuditTrail.Line> lines, Injuries injuries) {
    long before = corrected;
    corrected = meters.sum(Branch.CORRECTED);
    return corrected - before <= lines.size() || !injuries.losses().isEmpty()
        ? List.of()
        : List.of(
            new Violation(
                Violation.Kind.AUDIT,
                (corrected - before) + " corrections and " + lines.size() + " lines"));
  }

  /** Errors that callers were given although nothing that happened is allowed to trouble them. */
  private List<Violation> troubles(List<FaultKind> kinds, History history) {
    if (kinds.stream().anyMatch(kind -> kind.troublesCallers(durable))) {
      return List.of();
    }
    return history.codes().keySet().stream()
        .filter(code -> !UNTROUBLED.contains(code))
        .filter(code -> !code.contains("rebuild_busy") || !kinds.contains(FaultKind.HOT_REBUILDS))
        .map(code -> new Violation(Violation.Kind.OTHER, kinds + " made callers see " + code))
        .toList();
  }

  private void lookUntilInterrupted() {
    while (!Thread.currentThread().isInterrupted()) {
      meters.look();
      pause(LOOK_MILLIS);
    }
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    deployment.close();
  }
}
