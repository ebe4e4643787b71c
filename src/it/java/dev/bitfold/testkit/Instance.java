package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One instance of the packaged service, a process that can be stopped, killed and paused. */
public final class Instance implements AutoCloseable {

  private static final int STOP_SECONDS = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final String name;
  private final Program program;
  private final Path classes;
  private final Path log;
  private final int port;
  private final int managementPort;
  private final Map<String, Object> properties;
  private @Nullable Process process;
  private volatile int life;

  /**
   * What is run.
   *
   * @param java home of the JVM
   * @param flags of the JVM
   * @param main what to run, as the JVM takes it
   */
  public record Program(Path java, List<String> flags, List<String> main) {

    String tool(String name) {
      return java.resolve("bin").resolve(name).toString();
    }
  }

  public Instance(
      String name,
      Program program,
      Path directory,
      int port,
      int managementPort,
      Map<String, Object> properties) {
    this.name = name;
    this.program = program;
    this.classes = directory.resolve("classes.jsa");
    this.log = directory.resolve(name + ".log");
    this.port = port;
    this.managementPort = managementPort;
    this.properties = properties;
  }

  /** Launches it with more properties; does not wait until it is up. */
  public void launch(Map<String, Object> more) {
    launch(Files.exists(classes) ? List.of("-XX:SharedArchiveFile=" + classes) : List.of(), more);
  }

  public void launch() {
    launch(Map.of());
  }

  /** Starts it until its parts are made, and keeps its classes: later starts are much faster. */
  public void train() {
    launch(
        List.of("-XX:ArchiveClassesAtExit=" + classes, "-Dspring.context.exit=onRefresh"),
        Map.of());
    ProcessHandle.of(pid()).ifPresent(training -> training.onExit().join());
  }

  private synchronized void launch(List<String> flags, Map<String, Object> more) {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException(name + " is already running");
    }
    Map<String, Object> all = new HashMap<>(properties);
    all.put("server.port", port);
    all.put("management.server.port", managementPort);
    all.putAll(more);
    List<String> command = new ArrayList<>();
    command.add(program.tool("java"));
    command.addAll(program.flags());
    command.addAll(flags);
    command.addAll(program.main());
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

  /** Waits until it answers. It must not end by itself: for its stores it waits. */
  public void awaitUp() {
    Await.until(name + " is up", this::isUp);
  }

  private boolean isUp() {
    try {
      return management().get("/actuator/health/liveness").status() == 200;
    } catch (UncheckedIOException notYet) {
      requireAlive();
      return false;
    }
  }

  private synchronized void requireAlive() {
    Process running = process;
    if (running != null && !running.isAlive()) {
      throw new IllegalStateException(name + " ended with " + running.exitValue() + "; see " + log);
    }
  }

  /** Ends it at once, as a crash would. */
  public synchronized void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Asks it to end (SIGTERM) and waits until it has. */
  public synchronized void stop() {
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

  public void pause() {
    Signals.stop(pid());
  }

  public void resume() {
    Signals.go(pid());
  }

  public synchronized long pid() {
    if (process == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return process.pid();
  }

  /** Grows with every start. */
  public int life() {
    return life;
  }

  public int port() {
    return port;
  }

  public Http http() {
    return new Http(port, PATIENCE);
  }

  public Http management() {
    return new Http(managementPort, PATIENCE);
  }

  public String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Bytes of the heap that are in use after everything unused was collected. */
  public long heap() {
    tell("GC.run");
    return management()
        .get("/actuator/prometheus")
        .text()
        .lines()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Bytes of memory that the whole process has. */
  public long resident() {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has its JVM do something, as jcmd knows it; waits until that is done. */
  public void tell(String... order) {
    List<String> command = new ArrayList<>(List.of(program.tool("jcmd"), Long.toString(pid())));
    command.addAll(List.of(order));
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
