package dev.bitfold.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.metric.EventCodec.Poisoned;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventCodecTest {

  private static final Lanes LANES = new Lanes(64);
  private static final Entity POST = new Entity("post", "42");
  private static final Lane LANE = LANES.of(POST);

  private final EventCodec codec =
      new EventCodec(LANES, new Vocabulary(Set.of("post"), Schema.CONTENT));

  private final Event event =
      new Event(
          3,
          LANE,
          123,
          POST,
          Schema.CONTENT.toggle("like").orElseThrow(),
          Long.MAX_VALUE,
          1,
          1731312345000L);

  @Test
  void an_event_is_written_as_the_topic_promises() {
    assertThat(new String(codec.encode(event), StandardCharsets.UTF_8))
        .isEqualTo(
            ("{\"epoch\":3,\"lane\":%d,\"channel\":\"%d\",\"seq\":123,\"entityType\":\"post\","
                    + "\"entityId\":\"42\",\"metric\":\"like\",\"idx\":1,"
                    + "\"userId\":9223372036854775807,\"delta\":1,\"ts\":1731312345000}")
                .formatted(LANE.number(), LANE.number()));
    assertThat(EventCodec.key(event)).isEqualTo("post:42");
  }

  @Test
  void what_was_written_is_read_again() throws Poisoned {
    assertThat(codec.decode(LANE, codec.encode(event))).isEqualTo(event);
    EpochMarker marker = new EpochMarker(4, LANE, 17, 12);
    assertThat(codec.decode(LANE, codec.encode(marker))).isEqualTo(marker);
    assertThat(EventCodec.key(marker)).isEqualTo("lane:" + LANE);
  }

  @Test
  void a_marker_is_written_as_the_topic_promises() {
    assertThat(new String(codec.encode(new EpochMarker(4, LANE, 17, 12)), StandardCharsets.UTF_8))
        .isEqualTo("{\"epoch\":4,\"lane\":%d,\"base\":17,\"folded\":12}".formatted(LANE.number()));
  }

  @Test
  void a_marker_of_the_first_version_does_not_tell_what_was_folded() throws Poisoned {
    String marker = "{\"epoch\":4,\"lane\":%d,\"base\":17}".formatted(LANE.number());
    assertThat(codec.decode(LANE, marker.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new EpochMarker(4, LANE, 17, 0));
  }

  /** Else its number would be missing in the fold and in a recovery. */
  @Test
  void an_event_of_a_type_that_is_no_longer_counted_is_still_an_event() throws Poisoned {
    EventCodec later = new EventCodec(LANES, new Vocabulary(Set.of("comment"), Schema.CONTENT));
    assertThat(later.decode(LANE, codec.encode(event))).isEqualTo(event);
  }

  @Test
  void a_record_of_another_lane_is_poisoned() {
    Lane other = new Lane((LANE.number() + 1) % 64);
    assertThatThrownBy(() -> codec.decode(other, codec.encode(event)))
        .isInstanceOf(Poisoned.class)
        .hasMessage("lane is not the partition");
  }

  @Test
  void epoch_that_would_lose_digits_in_the_scripts_is_poisoned() throws Poisoned {
    String marker = "{\"epoch\":%d,\"lane\":%d,\"base\":0,\"folded\":0}";
    for (long epoch : new long[] {LogRecord.HIGHEST, LogRecord.HIGHEST + 1}) {
      byte[] record = marker.formatted(epoch, LANE.number()).getBytes(StandardCharsets.UTF_8);
      if (epoch == LogRecord.HIGHEST) {
        assertThat(codec.decode(LANE, record).epoch()).isEqualTo(epoch);
      } else {
        assertThatThrownBy(() -> codec.decode(LANE, record)).isInstanceOf(Poisoned.class);
      }
    }
  }

  @Test
  void what_is_nearly_an_event_is_poisoned() {
    String good = new String(codec.encode(event), StandardCharsets.UTF_8);
    Map.of(
            good.replace("\"delta\":1", "\"delta\":1.0"),
            "delta is not a whole number",
            good.replace("\"delta\":1", "\"delta\":true"),
            "delta is not a whole number",
            good.replace("\"delta\":1", "\"delta\":{\"by\":[1]}"),
            "delta is not a whole number",
            good.replace("9223372036854775807", "9223372036854775808"),
            "userId is not a whole number",
            good.replace("\"42\"", "42"),
            "entityId is not a text",
            good.replace("\"like\"", "\"read\""),
            "metric is not one that has facts",
            good.replace("\"seq\":123", "\"seq\":123,\"seq\":123"),
            "property seq is there twice",
            good.replace("\"seq\":123", "\"seq\":123,\"more\":1"),
            "unknown property more",
            good + good,
            "there is something behind the object")
        .forEach(
            (record, reason) ->
                assertThatThrownBy(
                        () -> codec.decode(LANE, record.getBytes(StandardCharsets.UTF_8)))
                    .as(record)
                    .isInstanceOf(Poisoned.class)
                    .hasMessage(reason));
  }

  @Test
  void rubbish_is_poisoned_with_a_reason() {
    for (String rubbish :
        new String[] {
          "", "7", "null", "[]", "{}", "{", "{\"epoch\":1}", "{\"lane\":1,\"lane\":1}"
        }) {
      assertThatThrownBy(() -> codec.decode(LANE, rubbish.getBytes(StandardCharsets.UTF_8)))
          .as(rubbish)
          .isInstanceOf(Poisoned.class)
          .hasMessageMatching(".+");
    }
    assertThatThrownBy(() -> codec.decode(LANE, null)).isInstanceOf(Poisoned.class);
  }
}
