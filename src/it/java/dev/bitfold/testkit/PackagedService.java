package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The service as the build has packaged it. */
public final class PackagedService {

  private PackagedService() {}

  /** The jar that the build has made. */
  public static Path jar() {
    try (var files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("bitfold-[0-9.]+\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("target/ has no packaged service"))
          .toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A jar unpacked by its own tool: it starts in two thirds of the time. */
  public static Path unpacked(Path jar, Path directory) {
    Path app = directory.resolve("app");
    try {
      Process extract =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djarmode=tools",
                  "-jar",
                  jar.toString(),
                  "extract",
                  "--destination",
                  app.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("extract.log").toFile())
              .start();
      if (extract.waitFor() != 0) {
        throw new IllegalStateException("the jar was not unpacked; see " + directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return app.resolve(jar.getFileName());
  }
}
