package dev.bitfold.bench.opponent;

import dev.bitfold.bench.opponent.Answers.CounterResponse;
import dev.bitfold.bench.opponent.Answers.EntityRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * The usual way: a Set of users and a hash of counts for each entity, changed by two calls. A crash
 * between them leaves the count wrong for good; that is what makes it cheap.
 */
@Opponent
@RequestMapping("/api/v1/homemade")
class HomeMadeController {

  private final StringRedisTemplate redis;

  HomeMadeController(StringRedisTemplate redis) {
    this.redis = redis;
  }

  @GetMapping("/{entityType}/{entityId}")
  CounterResponse counter(@PathVariable String entityType, @PathVariable String entityId) {
    List<@Nullable Object> counts =
        redis.opsForHash().multiGet(counts(entityType, entityId), List.of("like", "fav"));
    return Answers.counter(entityType, entityId, number(counts.get(0)), number(counts.get(1)));
  }

  @PostMapping("/{action:like|unlike}")
  Map<String, Boolean> act(
      @PathVariable String action,
      @RequestHeader("X-User-Id") String user,
      @RequestBody EntityRequest request) {
    boolean like = action.equals("like");
    String users = "homemade:like:" + request.entityType() + ":" + request.entityId();
    Long changes =
        like ? redis.opsForSet().add(users, user) : redis.opsForSet().remove(users, user);
    boolean changed = changes != null && changes == 1;
    if (changed) {
      redis
          .opsForHash()
          .increment(counts(request.entityType(), request.entityId()), "like", like ? 1 : -1);
    }
    return Answers.toggled(changed, like);
  }

  private static String counts(String entityType, String entityId) {
    return "homemade:counts:" + entityType + ":" + entityId;
  }

  private static long number(@Nullable Object digits) {
    return digits == null ? 0 : Long.parseLong(digits.toString());
  }
}
