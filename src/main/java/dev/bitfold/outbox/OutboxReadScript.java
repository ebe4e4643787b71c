package dev.bitfold.outbox;

import dev.bitfold.lane.LaneClosedException;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneScripts;
import dev.bitfold.lane.LaneStatus.Progress;
import dev.bitfold.lane.Reply;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Event;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.LuaScript;
import dev.bitfold.platform.redis.RedisReplies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The caller of {@code outbox/read.lua}. */
public final class OutboxReadScript {

  private static final LuaScript SCRIPT = LuaScript.load("outbox/read");

  private final LaneScripts scripts;
  private final Schema schema;

  public OutboxReadScript(LaneScripts scripts, Schema schema) {
    this.scripts = scripts;
    this.schema = schema;
  }

  /**
   * The next events of a lane, stamped with the epoch they were read in.
   *
   * @param events contiguous and in order
   */
  public record Read(Progress progress, List<Event> events) {}

  /** Reads the events after a number. */
  public Read run(Lane lane, long after, int events) {
    return RedisReplies.await(start(lane, after, events));
  }

  /** Reads the events after a number; fails if the lane is closed. */
  CompletionStage<Read> start(Lane lane, long after, int events) {
    return scripts
        .runAsync(SCRIPT, lane, List.of(Long.toString(after), Integer.toString(events)))
        .thenApply(reply -> read(lane, after, reply));
  }

  private Read read(Lane lane, long after, Reply reply) {
    if (reply.is("CLOSED")) {
      throw new LaneClosedException(lane);
    }
    String oldest = reply.text(5);
    Progress progress =
        new Progress(
            reply.number(1),
            reply.number(2),
            reply.number(3),
            reply.number(4),
            oldest.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(oldest)));
    List<Event> events = new ArrayList<>();
    for (Object entry : reply.list(6)) {
      read(lane, progress.epoch(), Reply.asList(entry)).stream()
          .filter(event -> event.seq() > after)
          .forEach(events::add);
    }
    return new Read(progress, events);
  }

  /**
   * An entry: id {@code <last number>-0}, fields {@code ts} and {@code events}, a line an event.
   */
  private List<Event> read(Lane lane, long epoch, List<Object> entry) {
    String id = LaneKeys.text((byte[]) entry.get(0));
    List<Object> fields = Reply.asList(entry.get(1));
    long ts = Long.parseLong(LaneKeys.text((byte[]) fields.get(1)));
    List<String> lines = LaneKeys.text((byte[]) fields.get(3)).lines().toList();
    long last = Long.parseLong(id.substring(0, id.indexOf('-')));
    List<Event> events = new ArrayList<>(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ");
      events.add(
          new Event(
              epoch,
              lane,
              last - lines.size() + 1 + i,
              Entity.parse(words[0]),
              schema.toggle(words[1]).orElseThrow(),
              Long.parseLong(words[2]),
              Integer.parseInt(words[3]),
              ts));
    }
    return events;
  }
}
