package dev.bitfold.counter;

import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bytes of a counter: unsigned big-endian fields of fixed width, in the schema's order. */
final class CounterCodec {

  private final Schema schema;

  CounterCodec(Schema schema) {
    this.schema = schema;
  }

  /** The totals, or nothing if the bytes are missing or not a counter. */
  Optional<Totals> decode(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length != schema.counterBytes()) {
      return Optional.empty();
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return Optional.of(
        new Totals(
            schema.metrics().stream()
                .map((Metric metric) -> Integer.toUnsignedLong(buffer.getInt()))
                .toList()));
  }
}
