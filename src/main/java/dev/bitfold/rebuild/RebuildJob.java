package dev.bitfold.rebuild;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rebuild of all counters of an entity type.
 *
 * @param done counters rebuilt so far
 * @param total counters found; grows while the job still counts them
 */
record RebuildJob(
    UUID id,
    String entityType,
    State state,
    long done,
    long total,
    @Nullable String error,
    Instant startedAt,
    Instant updatedAt) {

  /** Where a job stands. */
  enum State {
    /** Finding out how many counters there are. */
    COUNTING,
    RUNNING,
    DONE,
    FAILED,
    /** Its instance went away; starting it again is safe. */
    ABANDONED;

    boolean ended() {
      return this == DONE || this == FAILED || this == ABANDONED;
    }
  }

  /** Counters a second, over the life of the job. */
  double rate() {
    long millis = Math.max(1, Duration.between(startedAt, updatedAt).toMillis());
    return Math.round(done * 10_000.0 / millis) / 10.0;
  }
}
