package dev.bitfold.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a benchmark is laid out.
 *
 * @param seconds how long each row is measured in each round
 * @param rounds how often rows that are compared take turns, after one round that warms up
 * @param only the sections to run; empty for all
 * @param java home of the JVM that runs the service
 * @param jvmFlags more flags for that JVM
 * @param properties more properties of the service
 * @param connections of a closed loop of single calls
 * @param batchConnections of a closed loop of batches
 * @param openConnections most requests under way in an open loop
 * @param threads of the load generator
 * @param entities among which single calls choose
 * @param mostEntities largest number of entities whose cost is measured
 * @param profile whether the service is profiled
 * @param seed of the users and entities that are chosen
 */
record BenchForm(
    double seconds,
    int rounds,
    List<String> only,
    Path java,
    List<String> jvmFlags,
    Map<String, Object> properties,
    int connections,
    int batchConnections,
    int openConnections,
    int threads,
    int entities,
    int mostEntities,
    boolean profile,
    long seed) {

  /** Where a run leaves what it has found. */
  static final Path DIRECTORY = Path.of("target", "bench");

  /**
   * The form asked for with {@code -Dbench.…=}: names as those of the components, in lower case.
   */
  static BenchForm asked() {
    return new BenchForm(
        Double.parseDouble(asked("seconds", "3")),
        number("rounds", 3),
        words(asked("only", "")),
        Path.of(asked("java", System.getProperty("java.home"))),
        words(asked("jvm-flags", "")),
        words(asked("properties", "")).stream()
            .map(property -> property.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])),
        number("connections", 64),
        number("batch-connections", 8),
        number("open-connections", 128),
        number("threads", 1),
        number("entities", 10_000),
        number("most-entities", 1_000_000),
        Boolean.parseBoolean(asked("profile", "false")),
        seed(System.getProperty("seed", "")));
  }

  boolean asksFor(String section) {
    return only.isEmpty() || only.contains(section);
  }

  /** The time of a row, so many times. */
  Duration time(double times) {
    return Duration.ofMillis((long) (1000 * seconds * times));
  }

  /** The command that repeats the run; where a JVM lies is left to who repeats it. */
  String command() {
    String options =
        System.getProperties().stringPropertyNames().stream()
            .filter(name -> name.startsWith("bench.") && !name.equals("bench.java"))
            .sorted()
            .map(name -> " -D" + name + "=" + System.getProperty(name))
            .collect(Collectors.joining());
    String java = System.getProperty("bench.java", "").isEmpty() ? "" : " -Dbench.java=…";
    return "mvn verify -Pbench -Dseed=" + seed + java + options;
  }

  private static String asked(String name, String otherwise) {
    String value = System.getProperty("bench." + name, "");
    return value.isEmpty() ? otherwise : value;
  }

  private static int number(String name, int otherwise) {
    return Integer.parseInt(asked(name, Integer.toString(otherwise)));
  }

  private static List<String> words(String list) {
    return Arrays.stream(list.split(",")).filter(word -> !word.isEmpty()).toList();
  }

  private static long seed(String given) {
    return given.isEmpty() ? System.nanoTime() % 1_000_000 : Long.parseLong(given);
  }
}
