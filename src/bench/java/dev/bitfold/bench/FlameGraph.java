package dev.bitfold.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Collapsed stacks as a picture: the wider a frame, the more samples it and what it calls had. */
final class FlameGraph {

  private static final int WIDTH = 1400;
  private static final int ROW = 15;
  private static final double NARROWEST = 2;
  private static final double LETTER = 6.2;
  private static final int TOP = 24;

  /** What frames are painted in, by the beginning of their names; the first that fits. */
  private static final Map<String, String> COLOURS =
      new TreeMap<>(
          Map.of(
              "dev/bitfold", "#f28e2b",
              "io/lettuce", "#59a14f",
              "io/netty", "#8cd17d",
              "java/", "#d7d7d7",
              "org/apache/catalina", "#4e79a7",
              "org/apache/coyote", "#4e79a7",
              "org/apache/kafka", "#b07aa1",
              "org/apache/tomcat", "#4e79a7",
              "org/springframework", "#76b7b2",
              "tools/jackson", "#edc948"));

  /** Of hidden classes: the same code has another one in each place that makes it. */
  private static final Pattern ADDRESS = Pattern.compile("\\.0x[0-9a-f]+");

  private static final String OTHER = "#e8b4b4";

  private final Path stacks;
  private final Frame root = new Frame();

  private static final class Frame {
    private final Map<String, Frame> calls = new TreeMap<>();
    private long samples;

    /** Of frames that have so many samples. */
    private int depth(double least) {
      return samples < least
          ? 0
          : 1 + calls.values().stream().mapToInt(call -> call.depth(least)).max().orElse(0);
    }
  }

  private FlameGraph(Path stacks) {
    this.stacks = stacks;
  }

  /** The graph of a file with a stack and its number of samples on each line. */
  static FlameGraph of(Path stacks) {
    FlameGraph graph = new FlameGraph(stacks);
    try (var lines = Files.lines(stacks)) {
      lines.forEach(graph::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return graph;
  }

  private void add(String line) {
    int space = line.lastIndexOf(' ');
    long samples = Long.parseLong(line.substring(space + 1));
    Frame frame = root;
    frame.samples += samples;
    for (String name : ADDRESS.matcher(line.substring(0, space)).replaceAll("").split(";")) {
      frame = frame.calls.computeIfAbsent(name, unseen -> new Frame());
      frame.samples += samples;
    }
  }

  /** Writes the picture beside the stacks. */
  Path write(String title) {
    int height = TOP + ROW * root.depth(NARROWEST * root.samples / WIDTH);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"10\">\n"
            .formatted(WIDTH, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append(
        "<text x=\"4\" y=\"15\" font-size=\"13\">%s, %d samples</text>\n"
            .formatted(escaped(title), root.samples));
    draw(svg, "all", root, 0, height - ROW);
    svg.append("</svg>\n");
    Path file = Path.of(stacks.toString().replace(".collapsed", ".svg"));
    try {
      Files.writeString(file, svg);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private void draw(StringBuilder svg, String name, Frame frame, double x, int y) {
    double width = WIDTH * (double) frame.samples / root.samples;
    if (width < NARROWEST) {
      return;
    }
    int letters = (int) (width / LETTER);
    String label = name.substring(name.lastIndexOf('/') + 1);
    svg.append(
        String.format(
            Locale.ROOT,
            "<g><title>%s, %.1f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\""
                + " fill=\"%s\" stroke=\"white\" stroke-width=\"0.3\"/>",
            escaped(name),
            100.0 * frame.samples / root.samples,
            x,
            y,
            width,
            ROW,
            colour(name)));
    if (letters > 2) {
      String shown = label.substring(0, Math.min(label.length(), letters));
      svg.append(
          String.format(
              Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 2, y + 11, escaped(shown)));
    }
    svg.append("</g>\n");
    double at = x;
    for (Map.Entry<String, Frame> call : frame.calls.entrySet()) {
      draw(svg, call.getKey(), call.getValue(), at, y - ROW);
      at += WIDTH * (double) call.getValue().samples / root.samples;
    }
  }

  private static String colour(String name) {
    return COLOURS.entrySet().stream()
        .filter(entry -> name.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(OTHER);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
