package dev.bitfold.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.Invariant;
import dev.bitfold.testkit.RawCounters;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Users like and unlike over HTTP through two instances while instances are stopped and started,
 * stores are restarted and counters are deleted. In the end every counter is what the users did.
 */
abstract class PipelineTest {

  private static final int USERS = 20;
  private static final int ENTITIES = 50;
  private static final int THREADS = 4;
  private static final long SEED =
      Long.parseLong(
          System.getProperty("seed", "").isEmpty()
              ? Long.toString(System.nanoTime() % 1_000_000_000)
              : System.getProperty("seed"));

  private final AtomicReferenceArray<BitfoldApp> apps = new AtomicReferenceArray<>(2);

  /** The addresses of the stores. */
  abstract Map<String, Object> stores();

  /** Faults of the stores, one after the other. */
  abstract List<Runnable> storeFaults();

  @Test
  void every_counter_is_what_the_users_did() throws Exception {
    System.out.println("pipeline: seed " + SEED);
    apps.set(0, BitfoldApp.start(stores()));
    apps.set(1, BitfoldApp.start(stores()));
    AtomicBoolean faultsOver = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Map<String, Boolean>>> users = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int share = thread;
        users.add(threads.submit(() -> drive(share, faultsOver)));
      }
      for (Runnable fault : faults()) {
        fault.run();
      }
      faultsOver.set(true);
      Map<String, Boolean> model = new HashMap<>();
      for (Future<Map<String, Boolean>> user : users) {
        model.putAll(user.get(3, TimeUnit.MINUTES));
      }
      apps.get(0).awaitSettled();
      check(model);
    } finally {
      threads.shutdownNow();
      apps.get(0).close();
      apps.get(1).close();
    }
  }

  private List<Runnable> faults() {
    List<Runnable> faults = new ArrayList<>();
    faults.add(this::deleteCounters);
    faults.add(() -> restart(0));
    faults.addAll(storeFaults());
    faults.add(this::deleteCounters);
    faults.add(() -> restart(1));
    return faults;
  }

  private void restart(int which) {
    apps.get(which).close();
    apps.set(which, BitfoldApp.start(stores()));
  }

  private void deleteCounters() {
    BitfoldApp app = apps.get(0);
    for (int entity = 0; entity < ENTITIES; entity++) {
      Entity post = new Entity("post", name(entity));
      RawCounters counters = new RawCounters(app.redis());
      try {
        if (entity % 2 == 0) {
          counters.lose(app.lanes().of(post), post);
        } else {
          counters.put(app.lanes().of(post), post, new byte[] {1});
        }
      } catch (RedisUnavailableException away) {
        continue; // this fault meets another one
      }
    }
  }

  /** One thread acts for its share of the users until the faults are over. */
  private Map<String, Boolean> drive(int share, AtomicBoolean faultsOver) {
    Random random = new Random(SEED + share);
    Map<String, Boolean> model = new HashMap<>();
    for (int i = 0; i < 300 || !faultsOver.get(); i++) {
      int user = 1 + share + THREADS * random.nextInt(USERS / THREADS);
      String entity = name(random.nextInt(ENTITIES));
      boolean like = random.nextDouble() < .6;
      act(user, like ? "like" : "unlike", entity, random);
      model.put(user + " " + entity, like);
    }
    return model;
  }

  /** Sends until it is answered: sending again is safe. */
  private void act(int user, String action, String entity, Random random) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        int status = apps.get(random.nextInt(2)).http().act(user, action, entity).status();
        if (status == 200) {
          return;
        }
        assertThat(status).isEqualTo(503);
      } catch (UncheckedIOException | IllegalStateException stoppedInstance) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private void check(Map<String, Boolean> model) {
    BitfoldApp app = apps.get(0);
    Invariant.holds(app.redis(), app.lanes().all());
    app.awaitAudited();
    apps.get(0).nothingWasWrong();
    apps.get(1).nothingWasWrong();
    for (int entity = 0; entity < ENTITIES; entity++) {
      String name = name(entity);
      long expected =
          model.entrySet().stream()
              .filter(fact -> fact.getValue() && fact.getKey().endsWith(" " + name))
              .count();
      assertThat(app.http().likes(name)).as("likes of %s", name).isEqualTo(expected);
      assertThat(app.http().exactLikes(name)).as("exact likes of %s", name).isEqualTo(expected);
    }
    for (Map.Entry<String, Boolean> fact : model.entrySet()) {
      String[] parts = fact.getKey().split(" ");
      var status = app.http().get("/api/v1/status/post/" + parts[1] + "?uid=" + parts[0]);
      assertThat(status.json().path("liked").asBoolean())
          .as("user %s likes %s", parts[0], parts[1])
          .isEqualTo(fact.getValue());
    }
  }

  private static String name(int entity) {
    return "e2e-" + entity;
  }
}
