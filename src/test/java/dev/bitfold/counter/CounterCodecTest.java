package dev.bitfold.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Schema;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterCodecTest {

  private final CounterCodec codec = new CounterCodec(Schema.CONTENT);

  @Test
  void fields_are_unsigned_big_endian_in_the_order_of_the_schema() {
    byte[] bytes = HexFormat.of().parseHex("0000000100000002ffffffff0000000480000000");
    assertThat(codec.decode(bytes))
        .hasValue(new Totals(List.of(1L, 2L, 4294967295L, 4L, 2147483648L)));
  }

  @Test
  void missing_and_malformed_bytes_are_no_counter() {
    assertThat(codec.decode(null)).isEmpty();
    assertThat(codec.decode(new byte[0])).isEmpty();
    assertThat(codec.decode(new byte[19])).isEmpty();
    assertThat(codec.decode(new byte[21])).isEmpty();
  }
}
