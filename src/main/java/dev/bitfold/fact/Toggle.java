package dev.bitfold.fact;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;
import java.util.List;

/**
 * The wish that a fact hold or not.
 *
 * @param wanted true: the fact is to hold
 */
public record Toggle(Entity entity, Metric metric, long userId, boolean wanted) {

  /** As the scripts take it: entity, metric, user, wanted. */
  public List<String> args() {
    return List.of(entity.toString(), metric.name(), Long.toString(userId), wanted ? "1" : "0");
  }
}
