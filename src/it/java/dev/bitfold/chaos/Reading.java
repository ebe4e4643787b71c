package dev.bitfold.chaos;

/**
 * A count as a caller read it. Times are microseconds since 1970.
 *
 * @param exact counted from the facts on request
 */
record Reading(Fact.Total total, long count, boolean exact, long sent, long ended) {}
