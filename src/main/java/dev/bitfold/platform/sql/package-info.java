/** PostgreSQL: waiting for it at the start, and its tables. */
@NullMarked
package dev.bitfold.platform.sql;

import org.jspecify.annotations.NullMarked;
