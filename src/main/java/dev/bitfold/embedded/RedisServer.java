package dev.bitfold.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Redis 7 that keeps every write in an append-only file (synced every second, with timestamps so
 * that a test can cut its tail off) and never evicts.
 */
public final class RedisServer extends EmbeddedServer {

  /** Of an entity: type, colon, id. */
  private static final String LONGEST_NAME = "97";

  private static final Pattern FIELD = Pattern.compile("(?m)^(\\w+):(.*?)\\r?$");

  private final List<String> arguments;
  private volatile String runId = "";

  public RedisServer(ServerSettings settings) {
    this(settings, List.of());
  }

  /**
   * A Redis with more settings.
   *
   * @param arguments command line arguments after the own ones, so they win: {@code
   *     "--cluster-enabled", "yes"}
   */
  public RedisServer(ServerSettings settings, List<String> arguments) {
    super("Redis", "bitfold.embedded.redis-port", settings);
    this.arguments = List.copyOf(arguments);
  }

  /** The run_id of this life of the server: another one after every start. */
  public String runId() {
    return runId;
  }

  /**
   * Sends one inline command over a connection of its own.
   *
   * @return the text of a simple, integer or bulk reply; of nil, the empty text
   * @throws IOException if Redis is away or answers an error
   */
  public String call(String line) throws IOException {
    try (RedisWire wire = new RedisWire(port())) {
      return wire.call(line);
    }
  }

  /** The program redis-check-aof, for tests that cut the tail off an append-only file. */
  public Path checkAof() throws IOException {
    return RedisBinary.checkAof(settings.binaries());
  }

  /** The manifest of the append-only file. */
  public Path aofManifest() {
    return settings.directory().resolve("appendonlydir").resolve("appendonly.aof.manifest");
  }

  @Override
  List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.unpack(settings.binaries()).toString());
    command.addAll(List.of("--dir", settings.directory().toString()));
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(port())));
    command.addAll(List.of("--pidfile", pidFile().toString()));
    command.addAll(List.of("--appendonly", "yes", "--appendfsync", "everysec"));
    command.addAll(List.of("--aof-timestamp-enabled", "yes", "--save", ""));
    command.addAll(List.of("--maxmemory-policy", "noeviction"));
    // One longer name would cost the counters of its page several times the memory.
    command.addAll(List.of("--hash-max-listpack-value", LONGEST_NAME));
    // The title Redis gives itself would hide the arguments an orphan is recognised by.
    command.addAll(List.of("--set-proc-title", "no"));
    command.addAll(arguments);
    return command;
  }

  @Override
  Optional<String> probe(long pid) {
    try (RedisWire wire = new RedisWire(port())) {
      Map<String, String> server = fields(wire.call("INFO server"));
      if (!Long.toString(pid).equals(server.get("process_id"))) {
        return Optional.empty();
      }
      wire.call("PING"); // an error while the append-only file is loaded
      runId = server.getOrDefault("run_id", "");
      return Optional.ofNullable(server.get("redis_version"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  Path pidFile() {
    return settings.directory().resolve("redis.pid");
  }

  @Override
  boolean isOurs(String program, List<String> arguments) {
    return program.contains(RedisBinary.PREFIX)
        && arguments.contains(settings.directory().toString());
  }

  private static Map<String, String> fields(String info) {
    return FIELD
        .matcher(info)
        .results()
        .collect(Collectors.toMap(m -> m.group(1), m -> m.group(2), (a, b) -> b));
  }
}
