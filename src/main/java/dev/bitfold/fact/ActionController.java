package dev.bitfold.fact;

import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.security.CurrentUser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Toggles over HTTP: the current user likes, favs, or takes that back. */
@RestController
@RequestMapping(
    path = "/api/v1/action",
    consumes = MediaType.APPLICATION_JSON_VALUE,
    produces = MediaType.APPLICATION_JSON_VALUE)
class ActionController {

  private final Facts facts;
  private final Vocabulary vocabulary;
  private final FactSettings settings;
  private final CurrentUser currentUser;

  ActionController(
      Facts facts, Vocabulary vocabulary, FactSettings settings, CurrentUser currentUser) {
    this.facts = facts;
    this.vocabulary = vocabulary;
    this.settings = settings;
    this.currentUser = currentUser;
  }

  record EntityRequest(@Nullable String entityType, @Nullable String entityId) {}

  record ActionRequest(
      @Nullable String action, @Nullable String entityType, @Nullable String entityId) {}

  record BatchRequest(@Nullable List<@Nullable ActionRequest> actions) {}

  record BatchResponse(List<Map<String, Boolean>> results) {}

  @PostMapping("/{action:like|unlike|fav|unfav}")
  Map<String, Boolean> act(@PathVariable String action, @RequestBody EntityRequest request) {
    long userId = currentUser.id();
    Toggle toggle =
        Action.of("action", action)
            .toggle(
                vocabulary.entity("", request.entityType(), request.entityId()),
                vocabulary.schema(),
                userId);
    return answer(toggle, facts.toggle(List.of(toggle)).get(0));
  }

  @PostMapping("/batch")
  BatchResponse batch(@RequestBody BatchRequest request) {
    long userId = currentUser.id();
    List<@Nullable ActionRequest> actions = request.actions();
    if (actions == null || actions.isEmpty() || actions.size() > settings.maxActions()) {
      throw new InvalidInput(
          InvalidInput.Reason.BATCH_SIZE,
          "actions",
          "must hold 1 to " + settings.maxActions() + " actions");
    }
    List<Toggle> toggles = new ArrayList<>(actions.size());
    for (int i = 0; i < actions.size(); i++) {
      toggles.add(toggle("actions[" + i + "].", actions.get(i), userId));
    }
    List<Change> changes = facts.toggle(toggles);
    List<Map<String, Boolean>> results = new ArrayList<>(changes.size());
    for (int i = 0; i < changes.size(); i++) {
      results.add(answer(toggles.get(i), changes.get(i)));
    }
    return new BatchResponse(results);
  }

  private Toggle toggle(String at, @Nullable ActionRequest request, long userId) {
    ActionRequest item = request == null ? new ActionRequest(null, null, null) : request;
    return Action.of(at + "action", item.action())
        .toggle(
            vocabulary.entity(at, item.entityType(), item.entityId()), vocabulary.schema(), userId);
  }

  private static Map<String, Boolean> answer(Toggle toggle, Change change) {
    Map<String, Boolean> answer = new LinkedHashMap<>();
    answer.put("changed", change == Change.CHANGED);
    answer.put(FactState.name(toggle.metric()), toggle.wanted());
    return answer;
  }
}
