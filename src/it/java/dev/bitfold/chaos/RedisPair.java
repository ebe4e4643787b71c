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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * A Redis, its replica, and the connections to them: callers reach the master through {@link
 * #front}, the replica reaches the master through {@link #link}. The two may change roles.
 */
final class RedisPair implements AutoCloseable {

  private final List<Member> members;
  private static final int COPIES = 4;

  private final Path directory;
  private final Deque<Path> copies = new ArrayDeque<>();
  private final TcpProxy front;
  private final TcpProxy link;
  private int master;
  private int kept;

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

  private RedisPair(List<Member> members, Path directory, TcpProxy front, TcpProxy link) {
    this.members = members;
    this.directory = directory;
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
            directory,
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

  /** The master dies and the replica takes its place; answers whether it was behind. */
  boolean failOver() {
    boolean behind =
        number(masterMember(), "replication", "master_repl_offset")
            > number(replicaMember(), "replication", "slave_repl_offset");
    master().kill();
    call(replicaMember(), "REPLICAOF NO ONE");
    master = 1 - master;
    front.target(master().port());
    link.target(master().port());
    replicaMember().server().start();
    follow();
    return behind;
  }

  /** Keeps the state of now, after the file was made as small as it can be. No caller may write. */
  void keepCopy() {
    call(masterMember(), "BGREWRITEAOF");
    Await.until(
        "the append-only file is rewritten",
        () -> {
          String info = call(masterMember(), "INFO persistence");
          return info.contains("aof_rewrite_in_progress:0")
              && info.contains("aof_rewrite_scheduled:0");
        });
    copies.addLast(directory.resolve("redis-copy-" + kept++));
    new AppendOnlyFile(master()).copyTo(copies.getLast());
    if (copies.size() > COPIES) {
      forget(copies.removeFirst());
    }
  }

  /** The log does not reach back to the copies any more. */
  void forgetCopies() {
    copies.forEach(RedisPair::forget);
    copies.clear();
  }

  private static void forget(Path copy) {
    try {
      FileSystemUtils.deleteRecursively(copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The master dies and comes back with one of the states kept lately. */
  boolean restoreCopy(Random random) {
    List<Path> kept = List.copyOf(copies);
    master().kill();
    new AppendOnlyFile(master()).replaceBy(kept.get(random.nextInt(kept.size())));
    master().start();
    return true;
  }

  /**
   * The master dies and comes back without the last moments, as after a crash of its host; answers
   * whether there were any.
   */
  boolean cutTail(Duration tail) {
    master().kill();
    boolean shorter = new AppendOnlyFile(master()).cut(Instant.now().minus(tail));
    master().start();
    return shorter;
  }

  /** How often the master has refused a command because its memory was full. */
  long refusedForWantOfMemory() {
    return number(masterMember(), "errorstats", "errorstat_OOM");
  }

  /** Bytes that the master's data takes; scripts of instances that are gone do not count. */
  long memory() {
    return number(masterMember(), "memory", "used_memory_dataset");
  }

  /** A number that INFO tells, 0 if it does not. */
  private static long number(Member member, String section, String name) {
    return call(member, "INFO " + section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).replaceAll("\\D", "")))
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
