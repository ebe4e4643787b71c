package dev.bitfold.reconcile;

import dev.bitfold.metric.Lane;

/**
 * A row of the audit.
 *
 * @param id grows from row to row
 */
record Audit(long id, Lane lane, AuditLine line) {}
