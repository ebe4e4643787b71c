package dev.bitfold.chaos;

/** What the service must have gone through in a run: without it, the run proves nothing. */
enum Branch {
  DUPLICATE("bucket_events outcome=duplicate", FaultKind.RECORDS_DUPLICATED),
  GAP("bucket_events outcome=gap", FaultKind.RECORDS_REORDERED),
  FLOORED("bucket_events outcome=floored", FaultKind.HOT_REBUILDS),
  STALE("bucket_events outcome=stale", FaultKind.REDIS_TAIL_CUT),
  DEAD_LETTER("bucket_dead_letters", FaultKind.RECORDS_POISONED),
  FLUSH_REBUILT("flush_counters outcome=rebuilt", FaultKind.COUNTERS_DELETED),
  GO_BACK("outbox_go_backs", FaultKind.KAFKA_KILLED),
  FENCED("rebuild_counters outcome=fenced", FaultKind.HOT_REBUILDS),
  CORRECTED("reconcile_entities outcome=corrected", FaultKind.COUNTERS_FLIPPED),
  RECOVERED("recover_lanes", FaultKind.REDIS_KILLED),
  REAPPLIED("recover_events", FaultKind.REDIS_OLDER_COPY);

  private final String meter;
  private final FaultKind cause;

  Branch(String meter, FaultKind cause) {
    this.meter = meter;
    this.cause = cause;
  }

  String meter() {
    return meter;
  }

  /** A kind of fault that leads there, as a rule. */
  FaultKind cause() {
    return cause;
  }
}
