package dev.bitfold.bench;

import dev.bitfold.platform.redis.RedisReplies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One run: starts everything, measures section after section, reports, stops everything. */
final class BenchRun {

  private static final List<Section> SECTIONS =
      List.of(
          new SingleCalls("read", 0.80),
          new SingleCalls("toggle", 0.65),
          new BatchCalls(),
          new Visibility(),
          new MixedLoad(),
          new Shapes(),
          new BigRebuild(),
          new EntityCounts());

  private final BenchForm form;
  private final Report report = new Report();
  private final List<RuntimeException> failures = new ArrayList<>();

  BenchRun(BenchForm form) {
    this.form = form;
  }

  /** Writes the report of what was measured; fails in the end if something failed. */
  void run() {
    report.fact("date", LocalDate.now(Clock.systemUTC()));
    report.fact("command", "`" + form.command() + "`");
    try {
      onOneDeployment();
      if (form.asksFor(LaneCounts.NAME)) {
        LaneCounts.run(form, report);
      }
    } catch (RuntimeException failure) {
      failed(failure);
    }
    report.write();
    if (!failures.isEmpty()) {
      failures.forEach(Throwable::printStackTrace);
      throw failures.get(0);
    }
  }

  private void onOneDeployment() {
    List<Section> asked = new ArrayList<>(SECTIONS);
    asked.removeIf(section -> !form.asksFor(section.name()));
    if (form.profile()) {
      asked.add(new Profiles());
    }
    if (asked.isEmpty()) {
      return;
    }
    try (BenchDeployment deployment = BenchDeployment.start(form, BenchDeployment.LANES)) {
      describe(deployment);
      Population population = new Population(deployment);
      population.likes(0, form.entities());
      population.opponents(form.entities());
      Bench bench = new Bench(form, deployment, report);
      for (Section section : asked) {
        try {
          section.run(bench);
        } catch (RuntimeException failure) {
          failed(failure);
        }
      }
    }
  }

  /** The other sections are measured all the same. */
  private void failed(RuntimeException failure) {
    report.text("**Failed**: " + failure.getMessage());
    failures.add(failure);
  }

  private void describe(BenchDeployment deployment) {
    report.fact("cores", Runtime.getRuntime().availableProcessors());
    report.fact("processor", processor());
    report.fact("system", System.getProperty("os.name") + ", " + System.getProperty("os.arch"));
    report.fact("JVM of the service", deployment.javaVersion);
    report.fact("Redis", redisVersion(deployment));
  }

  /** The name of the processor, where Linux tells it. */
  private static String processor() {
    Path told = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(told)) {
      return "?";
    }
    try (Stream<String> lines = Files.lines(told)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("?");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String redisVersion(BenchDeployment deployment) {
    return RedisReplies.await(deployment.redis.commands().info("server"))
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1))
        .findFirst()
        .orElse("?");
  }
}
