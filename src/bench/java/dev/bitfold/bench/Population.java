package dev.bitfold.bench;

import dev.bitfold.fact.Toggle;
import dev.bitfold.fact.ToggleScript;
import dev.bitfold.fact.ToggleScript.Applied;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.RedisReplies;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/** Gives entities a first like, past HTTP, so that their counters are there to be read. */
final class Population {

  static final Metric LIKE = Schema.CONTENT.toggle("like").orElseThrow();

  private static final long FIRST_USER = 1;
  private static final int BATCH = 200;
  private static final int UNDER_WAY = 64;
  private static final int NO_LIMIT = 1_000_000_000;
  private static final long MOST_WAITING = 200_000;
  private static final int LOOK_EVERY = 50_000;
  private static final long LOOK_NANOS = 20_000_000;

  private final BenchDeployment deployment;
  private final ToggleScript script;
  private final Map<Lane, List<Toggle>> batches = new HashMap<>();
  private final Deque<CompletionStage<Applied>> calls = new ArrayDeque<>();
  private long liked;

  Population(BenchDeployment deployment) {
    this.deployment = deployment;
    this.script = new ToggleScript(deployment.scripts);
  }

  /** The posts from one number up to another one get a like, and the counters show it. */
  void likes(int from, int to) {
    for (int i = from; i < to; i++) {
      like(new Entity("post", Integer.toString(i)), FIRST_USER);
    }
    settle();
  }

  /** Each of the posts gets a like, and the counters show it. */
  void likes(List<String> posts) {
    posts.forEach(post -> like(new Entity("post", post), FIRST_USER));
    settle();
  }

  /** The post gets so many likes of users drawn from 200 million, and the counter shows it. */
  void likes(String post, int count, Calls calls) {
    Entity entity = new Entity("post", post);
    for (int i = 0; i < count; i++) {
      like(entity, Calls.user(calls.fact(2L * i)));
    }
    settle();
  }

  private void like(Entity entity, long user) {
    Lane lane = deployment.lanes.of(entity);
    List<Toggle> batch = batches.computeIfAbsent(lane, unseen -> new ArrayList<>());
    batch.add(new Toggle(entity, LIKE, user, true));
    if (batch.size() == BATCH) {
      send(lane, batch);
    }
    if (++liked % LOOK_EVERY == 0) {
      while (deployment.backlog.events() > MOST_WAITING) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private void send(Lane lane, List<Toggle> batch) {
    if (calls.size() == UNDER_WAY) {
      RedisReplies.await(calls.poll());
    }
    calls.add(script.run(lane, List.copyOf(batch), System.currentTimeMillis(), NO_LIMIT));
    batch.clear();
  }

  private void settle() {
    batches.forEach(
        (lane, batch) -> {
          if (!batch.isEmpty()) {
            send(lane, batch);
          }
        });
    calls.forEach(RedisReplies::await);
    calls.clear();
    deployment.awaitSettled();
  }

  /** The opponents get the same counters. */
  void opponents(int entities) {
    List<CompletionStage<?>> hashes = new ArrayList<>();
    for (int i = 0; i < entities; i++) {
      byte[] key = LaneKeys.bytes("homemade:counts:post:" + i);
      hashes.add(
          deployment.redis.commands().hset(key, LaneKeys.bytes("like"), LaneKeys.bytes("1")));
    }
    hashes.forEach(RedisReplies::await);
    var postgres = deployment.stores.postgres();
    try (Connection connection =
            DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.username(), postgres.password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into bench_counter select 'post:' || n, 1, 0 from generate_series(0, %d) n"
              .formatted(entities - 1));
      statement.execute("analyze bench_counter");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
