package dev.bitfold.metric;

import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

  private final JsonMapper json =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
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
    ObjectNode node = json.createObjectNode();
    node.put("epoch", record.epoch()).put("lane", record.lane().number());
    if (record instanceof Event event) {
      node.put("channel", event.lane().toString())
          .put("seq", event.seq())
          .put("entityType", event.entity().type())
          .put("entityId", event.entity().id())
          .put("metric", event.metric().name())
          .put("idx", event.metric().index())
          .put("userId", event.userId())
          .put("delta", event.delta())
          .put("ts", event.ts());
    } else if (record instanceof EpochMarker marker) {
      node.put("base", marker.base()).put("folded", marker.folded());
    }
    return json.writeValueAsBytes(node);
  }

  /** Reads a record of a lane's partition. */
  public LogRecord decode(Lane partition, byte[] value) throws Poisoned {
    JsonNode node = parse(value);
    if (number(node, "lane") != partition.number()) {
      throw new Poisoned("lane is not the partition");
    }
    long epoch = atLeast(1, node, "epoch");
    if (node.has("base")) {
      onlyFields(node, MARKER_FIELDS);
      return new EpochMarker(epoch, partition, atLeast(0, node, "base"), folded(node));
    }
    onlyFields(node, EVENT_FIELDS);
    if (!partition.toString().equals(text(node, "channel"))) {
      throw new Poisoned("channel is not the lane");
    }
    Entity entity;
    Metric metric;
    long userId;
    try {
      entity = vocabulary.writtenEntity(text(node, "entityType"), text(node, "entityId"));
      metric = vocabulary.metrics("metric", List.of(text(node, "metric"))).get(0);
      userId = vocabulary.userId("userId", number(node, "userId"));
    } catch (InvalidInput invalid) {
      throw new Poisoned(invalid.getMessage());
    }
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
  private static long folded(JsonNode node) throws Poisoned {
    return node.has("folded") ? atLeast(0, node, "folded") : 0;
  }

  private JsonNode parse(byte[] value) throws Poisoned {
    if (value == null) {
      throw new Poisoned("no value");
    }
    try {
      JsonNode node = json.readTree(value);
      if (node == null || !node.isObject()) {
        throw new Poisoned("not a JSON object");
      }
      return node;
    } catch (JacksonException malformed) {
      throw new Poisoned("not JSON: " + malformed.getOriginalMessage());
    }
  }

  private static void onlyFields(JsonNode node, Set<String> allowed) throws Poisoned {
    for (Map.Entry<String, JsonNode> property : node.properties()) {
      if (!allowed.contains(property.getKey())) {
        throw new Poisoned("unknown property " + property.getKey());
      }
    }
  }

  private static long atLeast(long least, JsonNode node, String field) throws Poisoned {
    long number = number(node, field);
    if (number < least || number > LogRecord.HIGHEST) {
      throw new Poisoned(field + " is not between " + least + " and " + LogRecord.HIGHEST);
    }
    return number;
  }

  private static long number(JsonNode node, String field) throws Poisoned {
    JsonNode value = node.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new Poisoned(field + " is not a whole number");
    }
    return value.longValue();
  }

  private static String text(JsonNode node, String field) throws Poisoned {
    JsonNode value = node.path(field);
    if (!value.isString()) {
      throw new Poisoned(field + " is not a text");
    }
    return value.stringValue();
  }
}
