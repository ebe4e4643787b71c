package dev.bitfold.chaos;

import dev.bitfold.embedded.RedisServer;
import dev.bitfold.embedded.ServerSettings;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.testkit.AppendOnlyFile;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.FreePorts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Redis, its replica, and the connections to them: callers reach the master through {@link
 * #front}, the replica reaches the master through {@link #link}. The two may change roles.
 */
final class RedisPair implements AutoCloseable {

  private final List<Member> members;
  private final Path copy;
  private final TcpProxy front;
  private final TcpProxy link;
  private int master;

  /** One of the two servers, and a direct connection to it. */
  private record Member(RedisServer server, RedisClient client, RedisNodes nodes) {

    static Member start(Path directory, int port) {
      RedisServer server =
          new RedisServer(
              ServerSettings.of(directory, port),
              // a copy of the append-only file taken while it is rewritten would not be one state
              List.of("--auto-aof-rewrite-percentage", "0", "--repl-diskless-sync-delay", "0"));
      server.start();
      RedisURI address = RedisURI.create("127.0.0.1", port);
      address.setTimeout(Duration.ofSeconds(5));
      RedisClient client = RedisClient.create(address);
      return new Member(server, client, RedisNodes.connect(client));
    }

    void close() {
      nodes.close();
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      server.kill();
    }
  }

  private RedisPair(List<Member> members, Path copy, TcpProxy front, TcpProxy link) {
    this.members = members;
    this.copy = copy;
    this.front = front;
    this.link = link;
  }

  static RedisPair start(Path directory) {
    List<Integer> ports = FreePorts.many(4);
    List<Member> members =
        List.of(
            Member.start(directory.resolve("redis-a"), ports.get(0)),
            Member.start(directory.resolve("redis-b"), ports.get(1)));
    RedisPair pair =
        new RedisPair(
            members,
            directory.resolve("redis-copy"),
            TcpProxy.open(ports.get(2), ports.get(0)),
            TcpProxy.open(ports.get(3), ports.get(0)));
    pair.follow();
    return pair;
  }

  RedisServer master() {
    return members.get(master).server();
  }

  private Member masterMember() {
    return members.get(master);
  }

  private Member replicaMember() {
    return members.get(1 - master);
  }

  /** A connection to the master past the front. */
  RedisNodes direct() {
    return masterMember().nodes();
  }

  TcpProxy front() {
    return front;
  }

  TcpProxy link() {
    return link;
  }

  /** Makes the other server the replica of the master. */
  private void follow() {
    call(replicaMember(), "REPLICAOF 127.0.0.1 " + link.port());
  }

  /** Waits until the replica has what the master has. */
  void awaitReplica() {
    Await.until(
        "the replica has caught up",
        () -> call(masterMember(), "INFO replication").contains("state=online"));
  }

  /** The master dies and the replica, which may be behind, takes its place. */
  void failOver() {
    master().kill();
    call(replicaMember(), "REPLICAOF NO ONE");
    master = 1 - master;
    front.target(master().port());
    link.target(master().port());
    replicaMember().server().start();
    follow();
  }

  /** Keeps the state of now, after the file was made as small as it can be. Nobody may write. */
  void keepCopy() {
    call(masterMember(), "BGREWRITEAOF");
    Await.until(
        "the append-only file is rewritten",
        () -> {
          String info = call(masterMember(), "INFO persistence");
          return info.contains("aof_rewrite_in_progress:0")
              && info.contains("aof_rewrite_scheduled:0");
        });
    new AppendOnlyFile(master()).copyTo(copy);
  }

  /** The master dies and comes back with the state kept last. */
  void restoreCopy() {
    master().kill();
    new AppendOnlyFile(master()).replaceBy(copy);
    master().start();
  }

  /** The master dies and comes back without the last moments, as after a crash of its host. */
  void cutTail(Duration tail) {
    master().kill();
    new AppendOnlyFile(master()).cut(Instant.now().minus(tail));
    master().start();
  }

  /** Bytes that the master's data takes. */
  long memory() {
    return call(masterMember(), "INFO memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static String call(Member member, String line) {
    try {
      return member.server().call(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    front.close();
    link.close();
    Stream.of(masterMember(), replicaMember()).forEach(Member::close);
  }
}
