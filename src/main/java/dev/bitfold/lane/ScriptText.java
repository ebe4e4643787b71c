package dev.bitfold.lane;

import dev.bitfold.metric.Schema;
import dev.bitfold.platform.redis.LuaScript;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the text that is loaded for one life of a Redis process. */
@FunctionalInterface
public interface ScriptText {

  String of(LuaScript script, String runId);

  /**
   * The text of the files, with the life, the schema and limits written into it.
   *
   * @param shardIds most user ids of a sparse shard
   * @param pageCounters most counters of a page
   */
  static ScriptText of(Schema schema, int shardIds, int pageCounters) {
    String toggles =
        schema.toggles().stream()
            .map(metric -> "{metric = '%s', index = %d}".formatted(metric.name(), metric.index()))
            .collect(Collectors.joining(", "));
    return (script, runId) ->
        script.render(
            Map.of(
                "LIFE",
                runId,
                "SCHEMA",
                schema.version(),
                "FIELDS",
                Integer.toString(schema.metrics().size()),
                "TOGGLES",
                toggles,
                "IDS",
                Integer.toString(shardIds),
                "COUNTERS",
                Integer.toString(pageCounters)));
  }
}
