package dev.bitfold.fact;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Vocabulary;
import dev.bitfold.security.CurrentUser;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Status over HTTP: what a user, the current one if none is named, has on an entity. */
@RestController
class StatusController {

  private final Facts facts;
  private final Vocabulary vocabulary;
  private final CurrentUser currentUser;

  StatusController(Facts facts, Vocabulary vocabulary, CurrentUser currentUser) {
    this.facts = facts;
    this.vocabulary = vocabulary;
    this.currentUser = currentUser;
  }

  @GetMapping("/api/v1/status/{entityType}/{entityId}")
  Map<String, Boolean> status(
      @PathVariable String entityType,
      @PathVariable String entityId,
      @RequestParam(required = false) @Nullable String uid) {
    Entity entity = vocabulary.entity("", entityType, entityId);
    long userId = uid == null ? currentUser.id() : vocabulary.userId("uid", uid);
    return FactState.named(
        facts.status(userId, List.of(entity), vocabulary.schema().toggles()).get(0));
  }
}
