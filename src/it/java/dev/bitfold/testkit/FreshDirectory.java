package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** New directories below the build directory; {@code clean} removes them. */
public final class FreshDirectory {

  private static final Path ROOT = Path.of("target", "it");

  private FreshDirectory() {}

  public static Path named(String name) {
    try {
      Files.createDirectories(ROOT);
      return Files.createTempDirectory(ROOT, name + "-").toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
