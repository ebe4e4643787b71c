package dev.bitfold.read;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import dev.bitfold.counter.Totals;
import dev.bitfold.fact.FactState;
import dev.bitfold.fact.Facts;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Counters over HTTP. */
@RestController
@RequestMapping(path = "/api/v1/counter", produces = MediaType.APPLICATION_JSON_VALUE)
class CounterController {

  private final CounterReads reads;
  private final Facts facts;
  private final Vocabulary vocabulary;
  private final ReadSettings settings;

  CounterController(CounterReads reads, Facts facts, Vocabulary vocabulary, ReadSettings settings) {
    this.reads = reads;
    this.facts = facts;
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  record CounterResponse(String entityType, String entityId, Map<String, Long> counts) {}

  record BatchRequest(
      @Nullable String entityType,
      @Nullable List<@Nullable String> entityIds,
      @Nullable List<String> metrics,
      @Nullable Long userId) {}

  /**
   * One entity of a batch.
   *
   * @param facts what the asked user has on it, by name; empty if no user was asked for
   */
  record Item(
      String entityId, Map<String, Long> counts, @JsonAnyGetter Map<String, Boolean> facts) {}

  record BatchResponse(List<Item> items) {}

  @GetMapping("/{entityType}/{entityId}")
  CounterResponse counter(
      @PathVariable String entityType,
      @PathVariable String entityId,
      @RequestParam(required = false) @Nullable List<String> metrics,
      @RequestParam(defaultValue = "false") boolean exact) {
    Entity entity = vocabulary.entity("", entityType, entityId);
    List<Metric> asked = vocabulary.metrics("metrics", metrics);
    Totals totals = exact ? reads.exact(entity) : reads.read(List.of(entity)).get(0).totals();
    return new CounterResponse(entityType, entityId, totals.named(asked));
  }

  @PostMapping(path = "/batch", consumes = MediaType.APPLICATION_JSON_VALUE)
  BatchResponse batch(@RequestBody BatchRequest request) {
    List<Entity> entities = entities(request);
    List<Metric> asked = vocabulary.metrics("metrics", request.metrics());
    Long userId = request.userId() == null ? null : vocabulary.userId("userId", request.userId());
    List<Reading> readings = reads.read(entities);
    List<Map<Metric, Boolean>> states =
        userId == null ? List.of() : facts.status(userId, entities, vocabulary.schema().toggles());
    List<Item> items = new ArrayList<>(entities.size());
    for (int i = 0; i < entities.size(); i++) {
      items.add(
          new Item(
              entities.get(i).id(),
              readings.get(i).totals().named(asked),
              userId == null ? Map.of() : FactState.named(states.get(i))));
    }
    return new BatchResponse(items);
  }

  private List<Entity> entities(BatchRequest request) {
    String type = vocabulary.entityType("", request.entityType());
    List<@Nullable String> ids = request.entityIds();
    if (ids == null || ids.isEmpty() || ids.size() > settings.maxEntities()) {
      throw new InvalidInput(
          InvalidInput.Reason.BATCH_SIZE,
          "entityIds",
          "must hold 1 to " + settings.maxEntities() + " ids");
    }
    List<Entity> entities = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      entities.add(new Entity(type, vocabulary.entityId("entityIds[" + i + "]", ids.get(i))));
    }
    return entities;
  }
}
