package dev.bitfold.chaos;

import dev.bitfold.metric.Entity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Who acts on what: users with neighbouring ids and users anywhere in 63 bits, a few hot entities
 * and many others. Remembers how every fact was when everything was last compared.
 */
final class People {

  private static final int USERS = 48;
  private static final int ENTITIES = 60;
  private static final int HOT = 4;

  private final List<Long> users;
  private final List<Entity> entities =
      IntStream.range(0, ENTITIES).mapToObj(i -> new Entity("post", "c" + i)).toList();
  private final Map<Fact, Boolean> known = new HashMap<>();

  People(long seed) {
    Random random = new Random(seed);
    users = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      users.add(i % 2 == 0 ? i + 1L : 1 + random.nextLong(Long.MAX_VALUE - 1));
    }
  }

  List<Long> users() {
    return users;
  }

  List<Entity> entities() {
    return entities;
  }

  List<Entity> hot() {
    return entities.subList(0, HOT);
  }

  /** A user of one share of all. */
  long user(int share, int shares, Random random) {
    return users.get(share + shares * random.nextInt(USERS / shares));
  }

  /** An entity; every second time a hot one. */
  Entity entity(Random random) {
    return entities.get(random.nextInt(random.nextBoolean() ? HOT : ENTITIES));
  }

  /** Whether the fact held when it was last compared. */
  boolean held(Fact fact) {
    return known.getOrDefault(fact, false);
  }

  void compared(Fact fact, boolean holds) {
    known.put(fact, holds);
  }
}
