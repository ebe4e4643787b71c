package dev.bitfold.bench.opponent;

import dev.bitfold.bench.opponent.Answers.CounterResponse;
import dev.bitfold.bench.opponent.Answers.EntityRequest;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;

/** Answers the same every time: the ceiling of the HTTP stack. */
@Opponent
@RequestMapping("/api/v1/empty")
class EmptyController {

  private static final CounterResponse COUNTER = Answers.counter("post", "4242", 1, 0);
  private static final Map<String, Boolean> TOGGLED = Answers.toggled(true, true);

  @GetMapping("/{entityType}/{entityId}")
  CounterResponse counter(@PathVariable String entityType, @PathVariable String entityId) {
    return COUNTER;
  }

  @PostMapping("/{action:like|unlike}")
  Map<String, Boolean> act(@PathVariable String action, @RequestBody EntityRequest request) {
    return TOGGLED;
  }
}
