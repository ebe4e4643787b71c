package dev.bitfold.chaos;

import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.Http;
import dev.bitfold.testkit.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One instance of the packaged service, a process that can be stopped, killed and paused. */
final class Instance implements AutoCloseable {

  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final int STOP_SECONDS = 30;

  /** So often it may end while it starts, because a store is away. */
  private static final int STARTS = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final String name;
  private final Path jar;
  private final Path log;
  private final int port;
  private final int managementPort;
  private final Map<String, Object> properties;
  private Map<String, Object> launchedWith = Map.of();
  private @Nullable Process process;
  private volatile int life;

  Instance(
      String name,
      Path jar,
      Path directory,
      int port,
      int managementPort,
      Map<String, Object> properties) {
    this.name = name;
    this.jar = jar;
    this.log = directory.resolve(name + ".log");
    this.port = port;
    this.managementPort = managementPort;
    this.properties = properties;
  }

  /** Launches it with more properties; does not wait until it is up. */
  synchronized void launch(Map<String, Object> more) {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException(name + " is already running");
    }
    launchedWith = more;
    Map<String, Object> all = new HashMap<>(properties);
    all.put("server.port", port);
    all.put("management.server.port", managementPort);
    all.putAll(more);
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-jar", jar.toString()));
    all.forEach((property, value) -> command.add("--" + property + "=" + value));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    life++;
  }

  void launch() {
    launch(Map.of());
  }

  /** Waits until it answers. One that ends instead is launched again, as a supervisor would. */
  void awaitUp() {
    int[] starts = {1};
    Await.until(
        name + " is up",
        () -> {
          if (ended()) {
            if (starts[0]++ == STARTS) {
              throw new IllegalStateException(name + " ends at every start; see " + log);
            }
            launch(launchedWith);
          }
          return isUp();
        });
  }

  boolean isUp() {
    try {
      return management().get("/actuator/health/liveness").status() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  private synchronized boolean ended() {
    return process != null && !process.isAlive();
  }

  /** Ends it at once, as a crash would. */
  synchronized void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Asks it to end (SIGTERM) and waits until it has. */
  synchronized void stop() {
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        kill();
        throw new IllegalStateException(name + " did not stop within " + STOP_SECONDS + " s");
      }
    } catch (InterruptedException interrupted) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  void pause() {
    Signals.stop(pid());
  }

  void resume() {
    Signals.go(pid());
  }

  synchronized long pid() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process.pid();
  }

  /** Grows with every start. */
  int life() {
    return life;
  }

  Http http() {
    return new Http(port, PATIENCE);
  }

  Http management() {
    return new Http(managementPort, PATIENCE);
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Bytes of the heap that are in use after everything unused was collected. */
  long heap() {
    try {
      String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      Process collect =
          new ProcessBuilder(jcmd, Long.toString(pid()), "GC.run")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      collect.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return management()
        .get("/actuator/prometheus")
        .text()
        .lines()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    kill();
  }
}
