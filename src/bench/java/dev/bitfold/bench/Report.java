package dev.bitfold.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What a run has measured, line by line while it goes on and as a page in the end. */
final class Report {

  private final StringBuilder body = new StringBuilder();
  private final List<List<String>> targets = new ArrayList<>();
  private final List<List<String>> machine = new ArrayList<>();
  private final long begun = System.nanoTime();

  /** Something about the machine or the run. */
  void fact(String what, Object value) {
    machine.add(List.of(what, value.toString()));
  }

  void section(String title) {
    body.append("\n## ").append(title).append('\n');
    say(title);
  }

  void text(String text) {
    body.append('\n').append(text).append('\n');
    say("  " + text);
  }

  void table(List<String> header, List<List<String>> rows) {
    body.append('\n').append(markdown(header, rows));
    rows.forEach(row -> say("  " + String.join(" | ", row)));
  }

  void image(String title, Path file) {
    body.append("\n![%s](%s)\n".formatted(title, file.getFileName()));
  }

  /** A target, what was reached, and whether that is a hit. */
  void target(String what, String aim, String reached, boolean hit) {
    targets.add(List.of(what, aim, reached, hit ? "hit" : "**miss**"));
    say("  target: %s: %s, %s: %s".formatted(what, aim, reached, hit ? "hit" : "MISS"));
  }

  /** A target that is a lowest ratio. */
  void atLeast(String what, double least, double reached, boolean valid) {
    target(
        what + (valid ? "" : " (with errors)"),
        "≥ " + ratio(least),
        ratio(reached),
        valid && reached >= least);
  }

  /** Writes the page. */
  Path write() {
    Path file = BenchForm.DIRECTORY.resolve("report.md");
    fact("minutes", "%.1f".formatted((System.nanoTime() - begun) / 6e10));
    String page =
        "# Benchmark\n\n%s\n## Targets\n\n%s%s"
            .formatted(
                markdown(List.of("what", ""), machine),
                markdown(List.of("what", "target", "reached", ""), targets),
                body);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    say("the report is " + file);
    return file;
  }

  static String count(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  static String ratio(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  static String millis(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  static String percent(double part) {
    return part == 0 ? "0" : String.format(Locale.ROOT, "%.2f %%", 100 * part);
  }

  private void say(String line) {
    System.out.printf(
        Locale.ROOT, "%4d s  %s%n", (System.nanoTime() - begun) / 1_000_000_000, line);
  }

  private static String markdown(List<String> header, List<List<String>> rows) {
    StringBuilder table = new StringBuilder(line(header));
    table.append(line(Collections.nCopies(header.size(), "---")).replace(" ", ""));
    rows.forEach(row -> table.append(line(row)));
    return table.toString();
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
