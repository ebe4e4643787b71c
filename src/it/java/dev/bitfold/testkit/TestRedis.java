package dev.bitfold.testkit;

import dev.bitfold.embedded.RedisServer;
import dev.bitfold.embedded.ServerSettings;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/** One real Redis for all tests of scripts, started when the first one needs it. */
public final class TestRedis {

  private static final RedisNodes NODES = start();

  private TestRedis() {}

  /** A connection to the Redis, which is empty now. */
  public static RedisNodes empty() {
    RedisReplies.await(NODES.commands().flushall());
    return NODES;
  }

  /** A connection to the Redis as it is. */
  public static RedisNodes asItIs() {
    return NODES;
  }

  private static RedisNodes start() {
    RedisServer server =
        new RedisServer(ServerSettings.of(FreshDirectory.named("redis"), FreePorts.one()));
    server.start();
    Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
    return RedisNodes.connect(RedisClient.create(RedisURI.create("127.0.0.1", server.port())));
  }
}
