package dev.bitfold.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server as a child process: it can be started again on the same directory and port after it
 * was stopped or killed.
 *
 * <p>All methods may be called from any thread; start and stop exclude each other. An interrupt
 * during the start kills the process.
 */
public abstract sealed class EmbeddedServer implements AutoCloseable
    permits RedisServer, KafkaServer, PostgresServer {

  static final String HOST = "127.0.0.1";

  private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);
  private static final Duration BETWEEN_PROBES = Duration.ofMillis(20);
  private static final Duration PORT_RELEASE = Duration.ofSeconds(2);
  private static final int LOG_LINES = 12;
  private static final int CONNECT_MILLIS = 500;

  final ServerSettings settings;
  private final String name;
  private final String portProperty;
  private volatile @Nullable Process process;

  EmbeddedServer(String name, String portProperty, ServerSettings settings) {
    this.name = name;
    this.portProperty = portProperty;
    this.settings = settings;
  }

  /** Makes what the server needs (programs, an empty database) and says how to launch it. */
  abstract List<String> command() throws IOException, InterruptedException;

  Map<String, String> environment() {
    return Map.of();
  }

  /**
   * The version of the server if it is ready and really is the process with this pid, which a
   * stranger's server on the same port is not.
   */
  abstract Optional<String> probe(long pid) throws InterruptedException;

  /** Written by the server itself, so there is no moment when it runs without one. */
  abstract Path pidFile();

  /** Whether a running process is this kind of server on this directory. */
  abstract boolean isOurs(String program, List<String> arguments);

  void terminate(ProcessHandle running) {
    running.destroy();
  }

  /** Called once the first probe succeeds; the server counts as ready when it returns. */
  void afterStart() throws IOException {}

  /**
   * Starts the server and waits until it is ready.
   *
   * @throws EmbeddedStartException if it is not; no process is left then
   */
  public final synchronized void start() {
    if (isRunning()) {
      throw new IllegalStateException(name + " is already running");
    }
    long begun = System.nanoTime();
    orphan()
        .ifPresent(
            orphan -> {
              throw new EmbeddedStartException(
                  "%s already runs on %s (pid %d)."
                      .formatted(name, settings.directory(), orphan.pid()),
                  "Stop it, or use another directory.");
            });
    try {
      Files.createDirectories(settings.directory());
      requireFreePort();
      Process started = Processes.start(command(), environment(), logFile());
      process = started;
      String version = awaitReady(started, begun);
      afterStart();
      log.info(
          "%-17s %s:%-5d  pid %-7d ready in %d ms"
              .formatted(name + " " + version, HOST, port(), started.pid(), millisSince(begun)));
      started.onExit().thenAccept(this::reportIfUnexpected);
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
      throw new EmbeddedStartException(
          "The start of %s was interrupted.".formatted(name), "Start again.", e);
    } catch (IOException e) {
      kill();
      throw new EmbeddedStartException(
          "%s could not be started: %s.".formatted(name, e),
          "Check that %s can be written and its programs run.".formatted(settings.directory()),
          e);
    } catch (RuntimeException e) {
      kill();
      throw e;
    }
  }

  /** Stops the server politely, and after the stop timeout forcibly; nothing if it is down. */
  public final synchronized void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    process = null;
    terminate(running.toHandle());
    if (!Processes.awaitExit(running.toHandle(), settings.stopTimeout())) {
      log.warn("{} did not stop within {}, killing it", name, settings.stopTimeout());
      Processes.kill(running.toHandle());
    }
  }

  /** Ends the server at once (SIGKILL), as a crash would; nothing if it is down. */
  public final synchronized void kill() {
    Process running = process;
    if (running != null) {
      process = null;
      Processes.kill(running.toHandle());
    }
  }

  @Override
  public final void close() {
    stop();
  }

  public final boolean isRunning() {
    Process running = process;
    return running != null && running.isAlive();
  }

  /**
   * The process id of the running server.
   *
   * @throws IllegalStateException if it is down
   */
  public final long pid() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException(name + " is not running");
    }
    return running.pid();
  }

  public final int port() {
    return settings.port();
  }

  /** Where the output of the server goes. */
  public final Path logFile() {
    return settings.directory().resolve(name.toLowerCase(Locale.ROOT) + ".log");
  }

  final String name() {
    return name;
  }

  /** A server an earlier run left on this directory. */
  final Optional<ProcessHandle> orphan() {
    return pidInFile().flatMap(ProcessHandle::of).filter(this::isOurs);
  }

  /** Stops what an earlier run left on this directory. */
  final void stopOrphan() {
    orphan()
        .ifPresent(
            orphan -> {
              log.info("{} of an earlier run is still up, stopping pid {}", name, orphan.pid());
              terminate(orphan);
              if (!Processes.awaitExit(orphan, settings.stopTimeout())) {
                Processes.kill(orphan);
              }
            });
  }

  /** The first line of the pid file as a number, if there is one. */
  final Optional<Long> pidInFile() {
    try {
      return Files.readString(pidFile()).lines().findFirst().map(String::trim).map(Long::valueOf);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private boolean isOurs(ProcessHandle candidate) {
    ProcessHandle.Info info = candidate.info();
    return candidate.isAlive()
        && info.command().isPresent()
        && info.arguments().isPresent()
        && isOurs(info.command().get(), Arrays.asList(info.arguments().get()));
  }

  private void reportIfUnexpected(Process ended) {
    if (process == ended) {
      log.error("{} ended by itself (exit code {}).{}", name, ended.exitValue(), lastLogLines());
    }
  }

  private String awaitReady(Process started, long begun) throws InterruptedException {
    while (true) {
      if (!started.isAlive()) {
        requireFreePort();
        throw new EmbeddedStartException(
            "%s ended during its start (exit code %d).%s"
                .formatted(name, started.exitValue(), lastLogLines()),
            "See %s.".formatted(logFile()));
      }
      Optional<String> version = probe(started.pid());
      if (version.isPresent()) {
        return version.get();
      }
      if (millisSince(begun) > settings.startTimeout().toMillis()) {
        throw new EmbeddedStartException(
            "%s was not ready after %d s.%s"
                .formatted(name, settings.startTimeout().toSeconds(), lastLogLines()),
            "See %s, or allow more time with bitfold.embedded.start-timeout.".formatted(logFile()));
      }
      started.waitFor(BETWEEN_PROBES.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /**
   * The first thread of a killed server may be gone while its last one still holds the port, so a
   * port that is taken gets a moment to become free.
   */
  private void requireFreePort() throws InterruptedException {
    long begun = System.nanoTime();
    while (!isFree(port())) {
      if (millisSince(begun) < PORT_RELEASE.toMillis()) {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_PROBES.toMillis());
        continue;
      }
      throw new EmbeddedStartException(
          "Port %d, where %s should listen, is in use by another process.".formatted(port(), name),
          "Stop that process, or choose another port with %s.".formatted(portProperty));
    }
  }

  private static boolean isFree(int port) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket socket = new ServerSocket(port, 1, loopback)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether something accepts connections on this port. */
  static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(HOST, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The end of the log as indented lines, empty if there is none. */
  final String lastLogLines() {
    return lastLines(logFile());
  }

  static String lastLines(Path file) {
    try {
      List<String> lines =
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      if (lines.isEmpty()) {
        return "";
      }
      List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
      return " The last lines of its log:\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return " Its log cannot be read: " + e + ".";
    }
  }

  private static long millisSince(long nanoTime) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanoTime);
  }
}
