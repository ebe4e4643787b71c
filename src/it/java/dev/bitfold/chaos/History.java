package dev.bitfold.chaos;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Everything that callers did and were told in a round.
 *
 * @param unexpected answers that no fault explains, in words
 * @param codes how often each answer came, by its code
 */
record History(
    List<Operation> operations,
    List<Reading> readings,
    List<String> unexpected,
    Map<String, Long> codes) {

  /** The operations on each fact, in the order they were sent. */
  Map<Fact, List<Operation>> byFact() {
    return operations.stream()
        .sorted((a, b) -> Long.compare(a.sent(), b.sent()))
        .collect(Collectors.groupingBy(Operation::fact));
  }

  Map<Fact.Total, List<Reading>> readingsByTotal() {
    return readings.stream().collect(Collectors.groupingBy(Reading::total));
  }

  long count(Operation.Outcome outcome) {
    return operations.stream().filter(operation -> operation.outcome() == outcome).count();
  }

  /** Milliseconds in which a share of the answered operations was answered. */
  double latency(double share) {
    long[] micros =
        operations.stream()
            .filter(Operation::answered)
            .mapToLong(operation -> operation.ended() - operation.sent())
            .sorted()
            .toArray();
    return micros.length == 0 ? 0 : micros[(int) (share * (micros.length - 1))] / 1000.0;
  }

  /** From the first request to the last answer. */
  long micros() {
    return operations.stream().mapToLong(Operation::ended).max().orElse(0)
        - operations.stream().mapToLong(Operation::sent).min().orElse(0);
  }

  /** Writes all operations to a file, one a line. */
  void write() {
    ChaosReport.write(
        ChaosReport.DIRECTORY.resolve("history.csv"),
        operations.stream()
            .sorted((a, b) -> Long.compare(a.sent(), b.sent()))
            .map(Operation::line)
            .collect(
                Collectors.joining(
                    "\n", "sent,ended,user,metric,entity,wanted,outcome,code\n", "\n")));
  }

  static <T> Map<T, Long> counted(List<T> things) {
    return things.stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
