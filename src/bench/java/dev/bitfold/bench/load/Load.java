package dev.bitfold.bench.load;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What became of a load.
 *
 * @param statuses HTTP status to how many; 0 stands for requests that got no answer
 * @param nanos from the first request to the last answer, or the time that was given
 * @param latency microseconds; in an open loop from the time the request should have been sent
 */
public record Load(Map<Integer, Long> statuses, long nanos, Histogram latency) {

  private static final int OK = 200;
  private static final long SLOWEST_MICROS = 120_000_000;
  private static final int DIGITS = 3;

  /** A load before its first request. */
  static Load none(long nanos) {
    return new Load(new TreeMap<>(), nanos, new Histogram(SLOWEST_MICROS, DIGITS));
  }

  void note(int status, long latencyNanos) {
    statuses.merge(status, 1L, Long::sum);
    latency.recordValue(Math.min(SLOWEST_MICROS, Math.max(0, latencyNanos / 1000)));
  }

  /** Both loads as one: of two threads at the same time, or of one after the other. */
  public Load plus(Load other, boolean sameTime) {
    Load sum = none(sameTime ? Math.max(nanos, other.nanos) : nanos + other.nanos);
    statuses.forEach((status, count) -> sum.statuses.merge(status, count, Long::sum));
    other.statuses.forEach((status, count) -> sum.statuses.merge(status, count, Long::sum));
    sum.latency.add(latency);
    sum.latency.add(other.latency);
    return sum;
  }

  /** Requests answered with 200 a second. */
  public double rate() {
    return statuses.getOrDefault(OK, 0L) * 1e9 / nanos;
  }

  /** Requests that were not answered with 200. */
  public long errors() {
    return total() - statuses.getOrDefault(OK, 0L);
  }

  /** Errors as a part of all requests. */
  public double errorRatio() {
    return total() == 0 ? 1 : errors() / (double) total();
  }

  /** A percentile of the latency, in milliseconds. */
  public double millis(double percentile) {
    return latency.getValueAtPercentile(percentile) / 1000.0;
  }

  private long total() {
    return statuses.values().stream().mapToLong(Long::longValue).sum();
  }
}
