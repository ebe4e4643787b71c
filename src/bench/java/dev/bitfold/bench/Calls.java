package dev.bitfold.bench;

import dev.bitfold.bench.load.Requests;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The calls that are measured. All are made from a seed and a running number.
 *
 * <p>Toggles like at random, and take each like back {@link #KEPT} likes later: so every toggle
 * changes a fact, which is the expensive case, and facts do not pile up.
 */
final class Calls {

  /** Likes that are not taken back yet; more than toggles can be under way. */
  static final long KEPT = 20_000;

  private static final long USERS = 200_000_000;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final long seed;

  Calls(long seed) {
    this.seed = mix(seed);
  }

  /** Reads of single counters below a path. */
  Requests reads(String path, Pick entities) {
    AtomicLong number = new AtomicLong();
    return () -> Requests.get(path + "/post/" + entities.of(mix(seed + number.getAndIncrement())));
  }

  /** Likes and unlikes by random users below a path. */
  Requests toggles(String path, Pick entities) {
    AtomicLong number = new AtomicLong();
    return () -> {
      long i = number.getAndIncrement();
      long fact = fact(i);
      return Requests.post(
          path + "/" + action(i),
          user(fact),
          "{\"entityType\":\"post\",\"entityId\":\"" + entities.of(mix(fact)) + "\"}");
    };
  }

  /** Reads of so many counters each. */
  Requests batchReads(Pick entities, int size) {
    AtomicLong number = new AtomicLong();
    return () -> {
      long first = seed + size * number.getAndIncrement();
      return Requests.post(
          "/api/v1/counter/batch",
          1,
          IntStream.range(0, size)
              .mapToObj(i -> "\"" + entities.of(mix(first + i)) + "\"")
              .collect(
                  Collectors.joining(
                      ",",
                      "{\"entityType\":\"post\",\"metrics\":[\"like\"],\"entityIds\":[",
                      "]}")));
    };
  }

  /** So many likes or unlikes of one user each. */
  Requests batchToggles(Pick entities, int size) {
    AtomicLong number = new AtomicLong();
    return () -> {
      long batch = number.getAndIncrement();
      long fact = fact(batch);
      String action = action(batch);
      return Requests.post(
          "/api/v1/action/batch",
          user(fact),
          IntStream.range(0, size)
              .mapToObj(
                  i ->
                      "{\"action\":\""
                          + action
                          + "\",\"entityType\":\"post\",\"entityId\":\""
                          + entities.of(mix(fact + i * GOLDEN))
                          + "\"}")
              .collect(Collectors.joining(",", "{\"actions\":[", "]}")));
    };
  }

  /** One of the rare calls after so many of the others. */
  static Requests mixed(Requests others, int times, Requests rare) {
    AtomicLong number = new AtomicLong();
    return () -> (number.getAndIncrement() % (times + 1) < times ? others : rare).next();
  }

  static String action(long number) {
    return number % 2 == 0 || number / 2 < KEPT ? "like" : "unlike";
  }

  /** What the toggle of that number is about, as 64 random bits. */
  long fact(long number) {
    long pair = number / 2;
    boolean back = number % 2 == 1;
    return mix(seed + GOLDEN * (!back ? pair : pair < KEPT ? -1 - pair : pair - KEPT));
  }

  static long user(long fact) {
    return 1 + Long.remainderUnsigned(fact, USERS);
  }

  /** A number that looks random (the finalizer of SplitMix64). */
  static long mix(long number) {
    long bits = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}
