package dev.bitfold.bench;

import dev.bitfold.bench.load.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots beside the report. */
final class Charts {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 450;
  private static final double LAST_NINES = 99.95;

  private Charts() {}

  /** Latency against percentile; the axis grows with the nines. */
  static void latencies(String name, Map<String, Load> loads, Report report) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(name + ": milliseconds against 1 / (1 - percentile)")
            .xAxisTitle("2 = p50, 10 = p90, 100 = p99, 1000 = p99.9")
            .yAxisTitle("ms")
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    loads.forEach(
        (row, load) -> {
          List<Double> x = new ArrayList<>();
          List<Double> y = new ArrayList<>();
          for (double percentile = 10; percentile < LAST_NINES; ) {
            x.add(100 / (100 - percentile));
            y.add(Math.max(0.001, load.millis(percentile)));
            percentile += (100 - percentile) / 8;
          }
          chart.addSeries(row, x, y).setMarker(SeriesMarkers.NONE);
        });
    save(chart, name, report);
  }

  /** A bar for each row. */
  static void bars(String name, String unit, Map<String, Double> rows, Report report) {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(name).yAxisTitle(unit).build();
    chart.getStyler().setLegendVisible(false);
    chart.addSeries(name, List.copyOf(rows.keySet()), List.copyOf(rows.values()));
    save(chart, name, report);
  }

  /** Lines over a logarithmic axis. */
  static void lines(
      String name,
      String axis,
      String unit,
      List<Integer> x,
      Map<String, List<Double>> rows,
      Report report) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(name)
            .xAxisTitle(axis)
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisMin(0.0);
    rows.forEach((row, y) -> chart.addSeries(row, x, y));
    save(chart, name, report);
  }

  private static void save(Chart<?, ?> chart, String name, Report report) {
    Path file = BenchForm.DIRECTORY.resolve(name.replaceAll("[^a-z0-9]+", "-") + ".png");
    try {
      Files.createDirectories(file.getParent());
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    report.image(name, file);
  }
}
