package dev.bitfold.chaos;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Everything the nemesis does, and what it needs for itself while it does it. */
enum FaultKind {
  INSTANCE_KILLED(Part.INSTANCES),
  INSTANCE_PAUSED(Part.INSTANCES),
  INSTANCE_STOPPED(Part.INSTANCES),
  INSTANCES_ROLLED(Part.INSTANCES, Part.BOTH),
  TWO_OWNERS(Part.INSTANCES),
  KAFKA_KILLED(Part.KAFKA),
  KAFKA_PAUSED(Part.KAFKA),
  TOPIC_DELETED(Part.KAFKA, Part.REDIS),
  OFFSETS_TO_BEGINNING(Part.KAFKA, Part.INSTANCES, Part.BOTH, Part.TRAFFIC),
  OFFSETS_TO_END(Part.KAFKA, Part.INSTANCES, Part.BOTH, Part.TRAFFIC),
  RECORDS_DUPLICATED(Part.KAFKA),
  RECORDS_REORDERED(Part.KAFKA, Part.INSTANCES, Part.REDIS, Part.TRAFFIC),
  RECORDS_POISONED(Part.KAFKA),
  REDIS_KILLED(Part.REDIS),
  REDIS_PAUSED(Part.REDIS),
  REDIS_TAIL_CUT(Part.REDIS, Part.TRAFFIC),
  REDIS_OLDER_COPY(Part.REDIS),
  REDIS_FLUSHED(Part.REDIS),
  REDIS_FULL(Part.REDIS, Part.TRAFFIC),
  REPLICA_PROMOTED(Part.REDIS, Part.FRONT, Part.TRAFFIC),
  CONNECTION_SLOW(Part.FRONT),
  CONNECTION_HALF_OPEN(Part.FRONT, Part.TRAFFIC),
  CONNECTION_RESET(Part.FRONT),
  COUNTERS_DELETED,
  COUNTERS_TRUNCATED,
  COUNTERS_FLIPPED,
  BUCKETS_DELETED,
  HOT_REBUILDS,
  POSTGRES_KILLED(Part.POSTGRES);

  /** What two faults cannot share. */
  enum Part {
    INSTANCES,
    /** The first instance as well, which a soak keeps. */
    BOTH,
    KAFKA,
    REDIS,
    FRONT,
    POSTGRES,
    /** Calls that are carried out: some faults stop them, some would be nothing without them. */
    TRAFFIC
  }

  /** What happens beside the pipeline, which goes on as before. */
  private static final Set<FaultKind> BESIDE =
      EnumSet.of(
          RECORDS_DUPLICATED,
          RECORDS_POISONED,
          COUNTERS_DELETED,
          COUNTERS_TRUNCATED,
          COUNTERS_FLIPPED,
          BUCKETS_DELETED,
          HOT_REBUILDS,
          POSTGRES_KILLED);

  private final Set<Part> parts = EnumSet.noneOf(Part.class);

  FaultKind(Part... needed) {
    Collections.addAll(parts, needed);
  }

  boolean fits(List<FaultKind> others) {
    return others.stream().allMatch(other -> Collections.disjoint(other.parts, parts));
  }

  int needs() {
    return parts.size();
  }

  boolean needsBothInstances() {
    return parts.contains(Part.BOTH);
  }

  /** Whether counters may lag more than usual because of it. */
  boolean stallsCounters() {
    return !BESIDE.contains(this);
  }

  /** Whether callers get an error because of it, or lose a connection. */
  boolean troublesCallers(boolean durable) {
    return stallsCounters() && !(parts.equals(EnumSet.of(Part.KAFKA)) && !durable);
  }

  /** As written in reports and documents. */
  String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
