package dev.bitfold.bench;

import dev.bitfold.platform.redis.RedisReplies;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;

/** One run: starts everything, measures section after section, reports, stops everything. */
final class BenchRun {

  private static final List<Section> SECTIONS =
      List.of(
          new SingleCalls("read", 0.80),
          new SingleCalls("toggle", 0.65),
          new BatchCalls(),
          new Visibility(),
          new MixedLoad());

  private final BenchForm form;
  private final Report report = new Report();

  BenchRun(BenchForm form) {
    this.form = form;
  }

  void run() {
    report.fact("date", LocalDate.now(Clock.systemUTC()));
    report.fact("command", "`" + form.command() + "`");
    try (BenchDeployment deployment = BenchDeployment.start(form, BenchDeployment.LANES)) {
      describe(deployment);
      Bench bench = new Bench(form, deployment, report);
      Population population = new Population(deployment);
      population.likes(0, form.entities());
      population.opponents(form.entities());
      for (Section section : SECTIONS) {
        if (form.asksFor(section.name())) {
          section.run(bench);
        }
      }
    } finally {
      report.write();
    }
  }

  private void describe(BenchDeployment deployment) {
    report.fact("cores", Runtime.getRuntime().availableProcessors());
    report.fact("JVM of the service", deployment.javaVersion);
    report.fact("Redis", redisVersion(deployment));
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
