package dev.bitfold.metric;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of log records, and the only judge of whether a record is one. */
public final class EventCodec {

  private static final Set<String> EVENT_FIELDS =
      Set.of(
          "epoch",
          "lane",
          "channel",
          "seq",
          "entityType",
          "entityId",
          "metric",
          "idx",
          "userId",
          "delta",
          "ts");
  private static final Set<String> MARKER_FIELDS = Set.of("epoch", "lane", "base", "folded");

  private static final int USUAL_BYTES = 256;

  /** What stands for a value that is neither a whole number nor a text. */
  private static final Object OF_NO_USE = new Object();

  private final JsonMapper json = new JsonMapper();
  private final Lanes lanes;
  private final Vocabulary vocabulary;

  public EventCodec(Lanes lanes, Vocabulary vocabulary) {
    this.lanes = lanes;
    this.vocabulary = vocabulary;
  }

  /** A record that is not what the topic carries; the message is the reason. */
  public static class Poisoned extends Exception {
    Poisoned(String reason) {
      super(reason);
    }
  }

  /** The record key: the entity, or the lane for a marker. */
  public static String key(LogRecord record) {
    return record instanceof Event event ? event.entity().toString() : "lane:" + record.lane();
  }

  public byte[] encode(LogRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
    try (JsonGenerator out = json.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeNumberProperty("epoch", record.epoch());
      out.writeNumberProperty("lane", record.lane().number());
      if (record instanceof Event event) {
        out.writeStringProperty("channel", event.lane().toString());
        out.writeNumberProperty("seq", event.seq());
        out.writeStringProperty("entityType", event.entity().type());
        out.writeStringProperty("entityId", event.entity().id());
        out.writeStringProperty("metric", event.metric().name());
        out.writeNumberProperty("idx", event.metric().index());
        out.writeNumberProperty("userId", event.userId());
        out.writeNumberProperty("delta", event.delta());
        out.writeNumberProperty("ts", event.ts());
      } else if (record instanceof EpochMarker marker) {
        out.writeNumberProperty("base", marker.base());
        out.writeNumberProperty("folded", marker.folded());
      }
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /** Reads a record of a lane's partition. */
  public LogRecord decode(Lane partition, byte[] value) throws Poisoned {
    Map<String, Object> node = parse(value);
    if (number(node, "lane") != partition.number()) {
      throw new Poisoned("lane is not the partition");
    }
    long epoch = atLeast(1, node, "epoch");
    if (node.containsKey("base")) {
      onlyFields(node, MARKER_FIELDS);
      return new EpochMarker(epoch, partition, atLeast(0, node, "base"), folded(node));
    }
    onlyFields(node, EVENT_FIELDS);
    if (!partition.toString().equals(text(node, "channel"))) {
      throw new Poisoned("channel is not the lane");
    }
    Entity entity;
    long userId;
    try {
      entity = vocabulary.writtenEntity(text(node, "entityType"), text(node, "entityId"));
      userId = vocabulary.userId("userId", number(node, "userId"));
    } catch (InvalidInput invalid) {
      throw new Poisoned(invalid.getMessage());
    }
    Metric metric =
        vocabulary
            .schema()
            .toggle(text(node, "metric"))
            .orElseThrow(() -> new Poisoned("metric is not one that has facts"));
    if (!lanes.of(entity).equals(partition)) {
      throw new Poisoned("entity is of another lane");
    }
    if (number(node, "idx") != metric.index()) {
      throw new Poisoned("idx is not the field of the metric");
    }
    long delta = number(node, "delta");
    if (delta != 1 && delta != -1) {
      throw new Poisoned("delta is neither 1 nor -1");
    }
    return new Event(
        epoch,
        partition,
        atLeast(1, node, "seq"),
        entity,
        metric,
        userId,
        (int) delta,
        number(node, "ts"));
  }

  /** Markers of version 0.1.0 do not tell it. */
  private static long folded(Map<String, Object> node) throws Poisoned {
    return node.containsKey("folded") ? atLeast(0, node, "folded") : 0;
  }

  /** The properties of an object: whole numbers, texts, or {@link #OF_NO_USE}. */
  private Map<String, Object> parse(byte @Nullable [] value) throws Poisoned {
    if (value == null) {
      throw new Poisoned("no value");
    }
    Map<String, Object> node = new HashMap<>();
    try (JsonParser in = json.createParser(value)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new Poisoned("not a JSON object");
      }
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        if (node.put(name, value(in)) != null) {
          throw new Poisoned("property " + name + " is there twice");
        }
      }
      if (in.nextToken() != null) {
        throw new Poisoned("there is something behind the object");
      }
      return node;
    } catch (JacksonException malformed) {
      throw new Poisoned("not JSON: " + malformed.getOriginalMessage());
    }
  }

  private static Object value(JsonParser in) {
    JsonToken token = in.nextToken();
    if (token == JsonToken.VALUE_STRING) {
      return in.getString();
    } else if (token == JsonToken.VALUE_NUMBER_INT
        && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return in.getLongValue();
    }
    in.skipChildren();
    return OF_NO_USE;
  }

  private static void onlyFields(Map<String, Object> node, Set<String> allowed) throws Poisoned {
    for (String property : node.keySet()) {
      if (!allowed.contains(property)) {
        throw new Poisoned("unknown property " + property);
      }
    }
  }

  private static long atLeast(long least, Map<String, Object> node, String field) throws Poisoned {
    long number = number(node, field);
    if (number < least || number > LogRecord.HIGHEST) {
      throw new Poisoned(field + " is not between " + least + " and " + LogRecord.HIGHEST);
    }
    return number;
  }

  private static long number(Map<String, Object> node, String field) throws Poisoned {
    if (node.get(field) instanceof Long number) {
      return number;
    }
    throw new Poisoned(field + " is not a whole number");
  }

  private static String text(Map<String, Object> node, String field) throws Poisoned {
    if (node.get(field) instanceof String text) {
      return text;
    }
    throw new Poisoned(field + " is not a text");
  }
}
