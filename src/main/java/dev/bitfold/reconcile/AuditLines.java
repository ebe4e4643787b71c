package dev.bitfold.reconcile;

import dev.bitfold.counter.Totals;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.Cause;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of the audit in Redis that wait for their row; the scripts that correct write them. */
class AuditLines {

  private static final Logger log = LoggerFactory.getLogger(AuditLines.class);

  private final RedisNodes redis;
  private final Vocabulary vocabulary;

  AuditLines(RedisNodes redis, Vocabulary vocabulary) {
    this.redis = redis;
    this.vocabulary = vocabulary;
  }

  /**
   * Some lines of a lane.
   *
   * @param entries ids of all of them
   * @param lines those that can be read
   */
  record Batch(List<String> entries, List<AuditLine> lines) {}

  /** The oldest lines of a lane. */
  Batch oldest(Lane lane, int most) {
    List<StreamMessage<byte[], byte[]>> messages =
        RedisReplies.await(
            redis.commands().xrange(LaneKeys.audit(lane), Range.unbounded(), Limit.from(most)));
    return new Batch(
        messages.stream().map(StreamMessage::getId).toList(),
        messages.stream().map(message -> read(lane, message)).flatMap(Optional::stream).toList());
  }

  /** Deletes exactly these lines. */
  void delete(Lane lane, List<String> entries) {
    RedisReplies.await(redis.commands().xdel(LaneKeys.audit(lane), entries.toArray(String[]::new)));
  }

  /** A line that no script of ours has written cannot be kept; it goes to the log instead. */
  private Optional<AuditLine> read(Lane lane, StreamMessage<byte[], byte[]> message) {
    Map<String, String> fields = new HashMap<>();
    message
        .getBody()
        .forEach((name, value) -> fields.put(LaneKeys.text(name), LaneKeys.text(value)));
    try {
      return Optional.of(line(message.getId(), fields));
    } catch (IllegalArgumentException | InvalidInput unreadable) {
      log.error("lane {} has an audit line that cannot be read: {}", lane, fields, unreadable);
      return Optional.empty();
    }
  }

  private AuditLine line(String entry, Map<String, String> fields) {
    Entity entity = Entity.parse(text(fields, "entity"));
    String before = text(fields, "before");
    return new AuditLine(
        entry,
        vocabulary.writtenEntity(entity.type(), entity.id()),
        Cause.of(text(fields, "cause")),
        before.isEmpty() ? null : counts(before),
        counts(text(fields, "after")),
        Long.parseLong(text(fields, "epoch")),
        Long.parseLong(text(fields, "seq")),
        Instant.ofEpochMilli(Long.parseLong(text(fields, "time"))));
  }

  private Map<String, Long> counts(String written) {
    Totals totals = new Totals(Arrays.stream(written.split(",")).map(Long::valueOf).toList());
    if (totals.fields().size() != vocabulary.schema().metrics().size()) {
      throw new IllegalArgumentException("not a counter: " + written);
    }
    return totals.named(vocabulary.schema().toggles());
  }

  private static String text(Map<String, String> fields, String name) {
    String text = fields.get(name);
    if (text == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    return text;
  }
}
