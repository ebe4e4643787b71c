package dev.bitfold.fact;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a user can do over HTTP, and the toggle it stands for. */
enum Action {
  LIKE("like", true),
  UNLIKE("like", false),
  FAV("fav", true),
  UNFAV("fav", false);

  private static final List<String> WORDS = Arrays.stream(values()).map(Action::word).toList();

  private final String metric;
  private final boolean wanted;

  Action(String metric, boolean wanted) {
    this.metric = metric;
    this.wanted = wanted;
  }

  static Action of(String field, @Nullable String word) {
    return Arrays.stream(values())
        .filter(action -> action.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    InvalidInput.Reason.UNKNOWN_ACTION, field, "must be one of " + WORDS));
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  Toggle toggle(Entity entity, Schema schema, long userId) {
    return new Toggle(entity, schema.toggle(metric).orElseThrow(), userId, wanted);
  }
}
