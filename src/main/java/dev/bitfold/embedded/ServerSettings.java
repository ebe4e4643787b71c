package dev.bitfold.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where one embedded server lives and how long it may take.
 *
 * @param directory its data, log and pid file; made absolute
 * @param binaries where programs are unpacked; servers may share it; made absolute
 * @param port its port on the loopback address
 * @param startTimeout from launch to ready
 * @param stopTimeout from the polite signal to the forcible one
 */
public record ServerSettings(
    Path directory, Path binaries, int port, Duration startTimeout, Duration stopTimeout) {

  public ServerSettings {
    directory = directory.toAbsolutePath().normalize();
    binaries = binaries.toAbsolutePath().normalize();
  }

  /** Settings with programs beside the data ({@code ../bin}) and the default times. */
  public static ServerSettings of(Path directory, int port) {
    return new ServerSettings(
        directory,
        directory.toAbsolutePath().resolveSibling("bin"),
        port,
        Duration.ofSeconds(60),
        Duration.ofSeconds(20));
  }
}
