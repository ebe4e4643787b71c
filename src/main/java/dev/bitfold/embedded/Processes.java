package dev.bitfold.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Starting and ending operating system processes, and writing the programs they run. */
final class Processes {

  private static final Duration AFTER_SIGKILL = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /**
   * Keeps program files closed while a process is started. A process that is just being forked
   * holds every open file of this JVM for a moment, and a program somebody has open for writing
   * cannot be run ("text file busy"). Writing shares the lock, starting takes it alone.
   */
  private static final ReadWriteLock PROGRAMS = new ReentrantReadWriteLock();

  private static final Optional<Path> SETSID = onPath("setsid");

  private Processes() {}

  interface Starter<T> {
    T start() throws IOException;
  }

  /** Runs something that starts processes while no program file is open for writing. */
  static <T> T starting(Starter<T> starter) throws IOException {
    PROGRAMS.writeLock().lock();
    try {
      return starter.start();
    } finally {
      PROGRAMS.writeLock().unlock();
    }
  }

  /**
   * Starts a command whose output goes to a new log file; the log before it is kept as {@code .1}.
   * It gets a session of its own where {@code setsid} exists (not on macOS), so that a Ctrl-C in
   * the terminal does not reach it.
   */
  static Process start(List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    if (Files.exists(log)) {
      Path before = log.resolveSibling(log.getFileName() + ".1");
      Files.move(log, before, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> line = new ArrayList<>();
    SETSID.ifPresent(setsid -> line.add(setsid.toString()));
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    return starting(builder::start);
  }

  /** Writes a program: under another name first, so that the name never holds half of it. */
  static void writeProgram(Path program, byte[] content) throws IOException {
    Files.createDirectories(program.getParent());
    Path half = Files.createTempFile(program.getParent(), program.getFileName() + ".", ".half");
    try {
      writeFile(half, content, true);
      Files.move(half, program, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(half);
    }
  }

  /** Writes one file of an archive that is being unpacked. */
  static void writeFile(Path file, byte[] content, boolean executable) throws IOException {
    PROGRAMS.readLock().lock();
    try {
      Files.write(file, content);
    } finally {
      PROGRAMS.readLock().unlock();
    }
    if (executable && !file.toFile().setExecutable(true, false)) {
      throw new IOException(file + " cannot be made executable");
    }
  }

  /** Sends SIGINT. */
  static void interrupt(ProcessHandle process) {
    try {
      Process kill =
          starting(() -> new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start());
      kill.onExit().join();
    } catch (IOException e) {
      process.destroy();
    }
  }

  /** Kills a process and everything it started, and waits until they are gone. */
  static void kill(ProcessHandle process) {
    List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
    process.destroyForcibly();
    tree.forEach(ProcessHandle::destroyForcibly);
    tree.add(process);
    tree.forEach(one -> awaitExit(one, AFTER_SIGKILL));
  }

  /**
   * Whether the process is gone after at most this time. A thread that is already interrupted waits
   * all the same: it is cleaning up.
   *
   * <p>The JVM looks only every few seconds after processes that are not its children, so this
   * looks itself.
   */
  static boolean awaitExit(ProcessHandle process, Duration atMost) {
    boolean interrupted = Thread.interrupted();
    long deadline = System.nanoTime() + atMost.toNanos();
    try {
      while (!isGone(process) && System.nanoTime() < deadline) {
        try {
          process.onExit().get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
          // look again
        }
      }
      return isGone(process);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A zombie, which runs no program any more but waits for its parent, is gone too. */
  private static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || process.info().command().isEmpty();
  }

  private static Optional<Path> onPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String directory : path.split(File.pathSeparator)) {
      Path candidate = Path.of(directory, program);
      if (!directory.isEmpty() && Files.isExecutable(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }
}
