package dev.bitfold.chaos;

import dev.bitfold.testkit.Instance;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The counters of all instances added up, over all lives of each. */
final class Meters {

  private static final Pattern LINE =
      Pattern.compile("^bitfold_(\\w+)_total(?:\\{(.*?)})? (\\S+)$");

  private final List<Instance> instances;
  private final Map<String, Map<String, Double>> lives = new HashMap<>();

  Meters(List<Instance> instances) {
    this.instances = instances;
  }

  /** Looks at all instances that answer. What a killed one counted after the last look is lost. */
  synchronized void look() {
    for (Instance instance : instances) {
      String life = instance + "#" + instance.life();
      try {
        String text = instance.management().get("/actuator/prometheus").text();
        Map<String, Double> seen = new HashMap<>();
        text.lines().forEach(line -> read(line, seen));
        lives.put(life, seen);
      } catch (UncheckedIOException away) {
        continue; // its last values stand
      }
    }
  }

  private static void read(String line, Map<String, Double> seen) {
    Matcher matcher = LINE.matcher(line);
    if (matcher.matches()) {
      String tags = matcher.group(2) == null ? "" : " " + matcher.group(2).replace("\"", "");
      seen.put(matcher.group(1) + tags, Double.valueOf(matcher.group(3)));
    }
  }

  /** How often the services took a branch. */
  long sum(Branch branch) {
    return sums().getOrDefault(branch.meter(), 0L);
  }

  synchronized Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    lives
        .values()
        .forEach(
            life -> life.forEach((name, value) -> sums.merge(name, value.longValue(), Long::sum)));
    return sums;
  }
}
