package dev.bitfold.platform.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One byte-array connection to one Redis or to all masters of a Redis Cluster. */
public interface RedisNodes extends AutoCloseable {

  /** Commands that find the right node by their key. */
  RedisClusterAsyncCommands<byte[], byte[]> commands();

  /** The id of the node that has the key's slot, as far as this client knows. */
  String nodeOf(byte[] key);

  /** Commands of that very node. */
  CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>> commandsOf(String node);

  /** Sends commands in one go; each tells its own outcome. */
  void send(List<? extends RedisCommand<byte[], byte[], ?>> commands);

  @Override
  void close();

  static RedisNodes connect(AbstractRedisClient client) {
    return client instanceof RedisClusterClient cluster
        ? new Cluster(cluster.connect(ByteArrayCodec.INSTANCE))
        : new Single(((RedisClient) client).connect(ByteArrayCodec.INSTANCE));
  }

  /** One Redis process. */
  record Single(StatefulRedisConnection<byte[], byte[]> connection) implements RedisNodes {

    private static final String NODE = "single";

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
      return connection.async();
    }

    @Override
    public String nodeOf(byte[] key) {
      return NODE;
    }

    @Override
    public CompletionStage<RedisClusterAsyncCommands<byte[], byte[]>> commandsOf(String node) {
      return CompletableFuture.completedFuture(connection.async());
    }

    @Override
    public void send(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
      connection.dispatch(commands);
    }

    @Override
    public void close() {
      if (connection.isOpen()) {
        connection.close();
      }
    }
  }

  /** A Redis Cluster. */
  record Cluster(StatefulRedisClusterConnection<byte[], byte[]> connection) implements RedisNodes {

    @Override
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
      return connection.async();
    }

    @Override
    public String nodeOf(byte[] key) {
      var node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      if (node == null) {
        throw new RedisUnavailableException("no node has the slot of the key", null);
      }
      return node.getNodeId();
    }

    @Override
    public CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>> commandsOf(
        String node) {
      return connection.getConnectionAsync(node).thenApply(StatefulRedisConnection::async);
    }

    @Override
    public void send(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
      // All at once, they would wait here for a connection to a node that has none yet, on a thread
      // that may be the one to make it.
      commands.forEach(connection::dispatch);
    }

    @Override
    public void close() {
      if (connection.isOpen()) {
        connection.close();
      }
    }
  }
}
