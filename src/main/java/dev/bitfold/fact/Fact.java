package dev.bitfold.fact;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;

/** That a user has a metric on an entity; it holds or not. */
record Fact(Entity entity, Metric metric, long userId) {}
