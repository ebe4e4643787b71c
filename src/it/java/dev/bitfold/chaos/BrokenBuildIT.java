package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.PackagedService;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A service with one of its rules taken out does not get through the short chaos run. */
class BrokenBuildIT {

  private static final long SEED = 3;

  /** A change to one script in the packaged service. */
  enum Broken {
    DUPLICATES_COUNT(
        "bucket/fold.lua",
        new Change("number <= folded then", "false then"),
        new Change("folded = number\n", "folded = math.max(folded, number)\n")),
    NOTHING_IS_RECOVERED(
        "recover/reapply.lua",
        new Change(
            "local changes, failure = apply_toggles(4, ARGV[3])", "local changes, failure = ''")),
    COUNTERS_FROM_ZERO(
        "flush/flush.lua",
        new Change(
            "local fields = counter_get(entity)\n",
            "local fields = counter_get(entity) or {0, 0, 0, 0, 0}\n"));

    private final String script;
    private final List<Change> changes;

    Broken(String script, Change... changes) {
      this.script = script;
      this.changes = List.of(changes);
    }

    /** A packaged service that is broken like this. */
    Path build() throws IOException {
      Path jar = FreshDirectory.named("broken").resolve("bitfold.jar");
      Files.copy(PackagedService.jar(), jar);
      try (FileSystem files = FileSystems.newFileSystem(jar)) {
        Path file = files.getPath("BOOT-INF/classes/lua", script);
        String text = Files.readString(file);
        for (Change change : changes) {
          assertThat(text).contains(change.rule());
          text = text.replace(change.rule(), change.without());
        }
        Files.writeString(file, text);
      }
      return jar;
    }
  }

  private record Change(String rule, String without) {}

  @ParameterizedTest
  @EnumSource
  void is_caught(Broken broken) throws IOException {
    try (ChaosRun run = new ChaosRun(broken.build(), SEED, ChaosForm.SHORT, "fast")) {
      assertThat(run.run().violations())
          .extracting(Violation::kind)
          .containsAnyOf(
              Violation.Kind.LOST,
              Violation.Kind.DOUBLE,
              Violation.Kind.WRONG,
              Violation.Kind.AUDIT);
    }
  }
}
