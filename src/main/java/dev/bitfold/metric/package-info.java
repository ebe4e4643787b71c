/**
 * The vocabulary: entity, metric, lane, event, schema. Everything here is a value; nothing knows of
 * Spring or does input or output. In: names and numbers from outside. Out: values that are valid by
 * construction. Truth: which names exist and how a record of the log is written.
 */
@NullMarked
package dev.bitfold.metric;

import org.jspecify.annotations.NullMarked;
