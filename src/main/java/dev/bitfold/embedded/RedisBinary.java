package dev.bitfold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** The static redis-server program that the embedded-redis artifact carries for this machine. */
final class RedisBinary {

  static final String PREFIX = "redis-server-7.0.15-";

  private RedisBinary() {}

  /**
   * Unpacks the program unless exactly these bytes are already there.
   *
   * @return where it is
   */
  static Path unpack(Path directory) throws IOException {
    String resource = PREFIX + system() + "-" + architecture();
    byte[] wanted;
    try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new EmbeddedStartException(
            "There is no embedded Redis for %s on %s."
                .formatted(System.getProperty("os.name"), System.getProperty("os.arch")),
            "Run a Redis 7 yourself and give its address with spring.data.redis.url.");
      }
      wanted = in.readAllBytes();
    }
    Path program = directory.resolve(resource);
    if (!Files.isExecutable(program) || !Arrays.equals(Files.readAllBytes(program), wanted)) {
      Processes.writeProgram(program, wanted);
    }
    return program;
  }

  /**
   * The same program under the name by which it becomes redis-check-aof.
   *
   * @return a symbolic link beside the program
   */
  static Path checkAof(Path directory) throws IOException {
    Path link = directory.resolve("redis-check-aof");
    Path program = unpack(directory).getFileName();
    if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(program)) {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, program);
    }
    return link;
  }

  private static String system() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String architecture() {
    String arch = System.getProperty("os.arch");
    return switch (arch) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64", "arm64" -> "arm64";
      case "x86", "i386" -> "386";
      default -> arch;
    };
  }
}
