package dev.bitfold.bench.opponent;

import java.util.LinkedHashMap;
import java.util.Map;

/** Requests and answers with the names and sizes of those of the service. */
final class Answers {

  private Answers() {}

  record EntityRequest(String entityType, String entityId) {}

  record CounterResponse(String entityType, String entityId, Map<String, Long> counts) {}

  static CounterResponse counter(String entityType, String entityId, long like, long fav) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("like", like);
    counts.put("fav", fav);
    return new CounterResponse(entityType, entityId, counts);
  }

  static Map<String, Boolean> toggled(boolean changed, boolean liked) {
    Map<String, Boolean> answer = new LinkedHashMap<>();
    answer.put("changed", changed);
    answer.put("liked", liked);
    return answer;
  }
}
