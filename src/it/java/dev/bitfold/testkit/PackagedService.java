package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The service as the build has packaged it. */
public final class PackagedService {

  private PackagedService() {}

  /** The lean jar that the build has made. */
  public static Path jar() {
    return made("bitfold-[0-9.]+(-SNAPSHOT)?\\.jar");
  }

  /** The jar that brings its servers along. */
  public static Path standaloneJar() {
    return made("bitfold-.*-standalone\\.jar");
  }

  private static Path made(String name) {
    try (var files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(name))
          .max(Comparator.comparing(file -> file.toFile().lastModified()))
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
