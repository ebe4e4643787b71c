/** The topics, as they are wanted and as Kafka has them. */
@NullMarked
package dev.bitfold.platform.kafka;

import org.jspecify.annotations.NullMarked;
