package dev.bitfold.metric;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The closed lists and patterns that every name from outside is held against. */
public record Vocabulary(Set<String> entityTypes, Schema schema) {

  /** In a path, one or two dots are no name. */
  private static final Pattern ENTITY_ID = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.~-]{1,64}");

  private static final Pattern ENTITY_TYPE = Pattern.compile("[a-z][a-z0-9_-]{0,31}");
  private static final Pattern USER_ID = Pattern.compile("[0-9]{1,19}");

  public Vocabulary {
    entityTypes = Set.copyOf(entityTypes);
  }

  /**
   * A known entity type and a well-formed id.
   *
   * @param at where the names stand in the input, empty or a prefix such as {@code actions[3].}
   */
  public Entity entity(String at, @Nullable String type, @Nullable String id) {
    return new Entity(entityType(at, type), entityId(at + "entityId", id));
  }

  /**
   * An entity as it stands in the log or in a key: its type may be one that is no longer, or not
   * yet, counted here.
   */
  public Entity writtenEntity(String type, String id) {
    if (!ENTITY_TYPE.matcher(type).matches()) {
      throw new InvalidInput(
          InvalidInput.Reason.UNKNOWN_ENTITY_TYPE,
          "entityType",
          "must match " + ENTITY_TYPE.pattern());
    }
    return new Entity(type, entityId("entityId", id));
  }

  public String entityType(String at, @Nullable String type) {
    if (type == null || !entityTypes.contains(type)) {
      throw new InvalidInput(
          InvalidInput.Reason.UNKNOWN_ENTITY_TYPE,
          at + "entityType",
          "must be one of " + entityTypes.stream().sorted().toList());
    }
    return type;
  }

  public String entityId(String field, @Nullable String id) {
    if (id == null || !ENTITY_ID.matcher(id).matches()) {
      throw new InvalidInput(
          InvalidInput.Reason.INVALID_ENTITY_ID,
          field,
          "must match [A-Za-z0-9_.~-]{1,64} and be neither . nor ..");
    }
    return id;
  }

  /** The named metrics, or all that are counted if none is named. */
  public List<Metric> metrics(String field, @Nullable List<String> names) {
    if (names == null || names.isEmpty()) {
      return schema.toggles();
    }
    return names.stream().distinct().map(name -> metric(field, name)).toList();
  }

  private Metric metric(String field, String name) {
    return schema
        .toggle(name)
        .orElseThrow(
            () ->
                new InvalidInput(
                    InvalidInput.Reason.UNKNOWN_METRIC, field, "must be of " + schema.toggles()));
  }

  public long userId(String field, @Nullable String text) {
    if (text != null && USER_ID.matcher(text).matches()) {
      try {
        return userId(field, Long.parseLong(text));
      } catch (NumberFormatException beyondLong) {
        throw invalidUserId(field);
      }
    }
    throw invalidUserId(field);
  }

  public long userId(String field, long userId) {
    if (userId < 1) {
      throw invalidUserId(field);
    }
    return userId;
  }

  private static InvalidInput invalidUserId(String field) {
    return new InvalidInput(
        InvalidInput.Reason.INVALID_USER_ID, field, "must be a whole number from 1 to 2^63-1");
  }
}
