package dev.bitfold.fact;

import dev.bitfold.metric.Metric;
import java.util.LinkedHashMap;
import java.util.Map;

/** How facts are named in answers: {@code like} is answered as {@code liked}. */
public final class FactState {

  private static final Map<String, String> PARTICIPLES = Map.of("like", "liked", "fav", "faved");

  private FactState() {}

  public static String name(Metric metric) {
    return PARTICIPLES.get(metric.name());
  }

  public static Map<String, Boolean> named(Map<Metric, Boolean> status) {
    Map<String, Boolean> named = new LinkedHashMap<>();
    status.forEach((metric, holds) -> named.put(name(metric), holds));
    return named;
  }
}
