package dev.bitfold.chaos;

import dev.bitfold.metric.Entity;

/** What a user may have on an entity: the smallest thing whose truth is followed. */
record Fact(long userId, Entity entity, String metric) {

  /** What the counter of an entity counts. */
  Total total() {
    return new Total(entity, metric);
  }

  /** One field of one counter. */
  record Total(Entity entity, String metric) {}

  @Override
  public String toString() {
    return metric + " of user " + userId + " on " + entity;
  }
}
