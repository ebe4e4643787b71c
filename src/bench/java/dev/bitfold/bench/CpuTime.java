package dev.bitfold.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How much processor time each process of a deployment takes. On a full machine it is the rate. */
final class CpuTime {

  private static final String LOAD = "load";
  private static final double MICROS = 1e6;

  private final Map<String, ProcessHandle> processes = new LinkedHashMap<>();

  CpuTime(BenchDeployment deployment) {
    put("service", deployment.service.pid());
    put("Redis", deployment.stores.redis().pid());
    put("Kafka", deployment.stores.kafka().pid());
    put("PostgreSQL", deployment.stores.postgres().pid());
    put(LOAD, ProcessHandle.current().pid());
  }

  private void put(String name, long pid) {
    processes.put(name, ProcessHandle.of(pid).orElseThrow());
  }

  List<String> names() {
    return List.copyOf(processes.keySet());
  }

  /** The same row, which also tells how many microseconds of each process a thing took. */
  Row counted(Row row) {
    return new Row(
        row.name(),
        time -> {
          Map<String, Double> before = seconds();
          Row.Sample sample = row.measure().apply(time);
          double things = sample.rate() * time.toNanos() / 1e9;
          Map<String, Double> micros = new LinkedHashMap<>();
          seconds()
              .forEach(
                  (name, after) ->
                      micros.put(name, MICROS * (after - before.get(name)) / Math.max(1, things)));
          return sample.with(micros);
        });
  }

  private Map<String, Double> seconds() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    processes.forEach(
        (name, process) ->
            seconds.put(
                name,
                // PostgreSQL has a process for each connection, the load generator has all of them.
                (name.equals(LOAD)
                        ? Stream.of(process)
                        : Stream.concat(Stream.of(process), process.descendants()))
                    .mapToDouble(CpuTime::seconds)
                    .sum()));
    return seconds;
  }

  private static double seconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
