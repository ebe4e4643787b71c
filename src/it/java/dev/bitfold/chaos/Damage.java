package dev.bitfold.chaos;

import dev.bitfold.metric.Entity;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something written to Redis past all scripts, which makes a counter missing or wrong.
 *
 * @param at before it was done
 * @param done when Redis had answered; never if it did not: then it may have happened at any time
 * @param effect what like and fav have too much from then on; null if Redis did not answer: then it
 *     may have happened or not
 */
record Damage(Entity entity, Kind kind, long at, long done, @Nullable List<Long> effect) {

  static final long NEVER = Long.MAX_VALUE;

  boolean certain() {
    return effect != null;
  }

  /** What was done, and what must be found of it. */
  enum Kind {
    DELETED,
    TRUNCATED,
    /** A bit of a high place: a correction must say so. */
    FLIPPED,
    /** A bit of a low place: the counter may pass through zero, where it is made anew. */
    FLIPPED_LOW,
    BUCKET_LOST;

    /** Whether a counter that looks good is wrong until it is corrected. */
    boolean misleads() {
      return this == FLIPPED || this == FLIPPED_LOW || this == BUCKET_LOST;
    }

    /** Whether all that was wrong may be gone without a correction. */
    boolean mayPassInSilence() {
      return this == FLIPPED_LOW;
    }

    /** What a correction may say if this was done. A missing counter is made without a word. */
    Set<String> causes() {
      return switch (this) {
        case DELETED -> Set.of();
        case TRUNCATED -> Set.of("malformed");
        case FLIPPED, FLIPPED_LOW, BUCKET_LOST -> Set.of("drift", "astray");
      };
    }
  }
}
