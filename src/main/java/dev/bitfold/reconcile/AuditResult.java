package dev.bitfold.reconcile;

/**
 * What a round did for one lane.
 *
 * @param moved lines that have become rows
 * @param repeated lines whose row was there already
 * @param unreadable lines that no script of ours has written
 */
record AuditResult(long moved, long repeated, long unreadable) {}
