package dev.bitfold.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** The directory of one embedded run, locked against a second run as long as it is open. */
final class DataDirectory implements AutoCloseable {

  private static final String ANOTHER = "choose another directory with bitfold.embedded.data";

  private final FileChannel channel;

  private DataDirectory(FileChannel channel) {
    this.channel = channel;
  }

  static DataDirectory open(Path given, DataSize minFreeSpace) {
    Path path = given.toAbsolutePath().normalize();
    try {
      Files.createDirectories(path);
      requireSpace(path, minFreeSpace);
      return lock(path);
    } catch (IOException e) {
      throw new EmbeddedStartException(
          "The data directory %s cannot be written by %s (%s)."
              .formatted(path, System.getProperty("user.name"), e.getClass().getSimpleName()),
          "Give it to this user, or " + ANOTHER + ".",
          e);
    }
  }

  private static void requireSpace(Path path, DataSize minFreeSpace) throws IOException {
    long usable = Files.getFileStore(path).getUsableSpace();
    if (usable < minFreeSpace.toBytes()) {
      throw new EmbeddedStartException(
          "The disk of %s is too full: %d MB are free, at least %d MB are needed."
              .formatted(path, DataSize.ofBytes(usable).toMegabytes(), minFreeSpace.toMegabytes()),
          "Make room, " + ANOTHER + ", or ask for less with bitfold.embedded.min-free-space.");
    }
  }

  private static DataDirectory lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw new EmbeddedStartException(
          "Another Bitfold is already running on %s.".formatted(path),
          "Stop it, or " + ANOTHER + " (and other ports).");
    }
    return new DataDirectory(channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very JVM
    }
  }

  /** Lets the next run in. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
