package dev.bitfold.testkit;

import dev.bitfold.fact.Toggle;
import dev.bitfold.metric.Entity;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.ArrayList;
import java.util.List;

/** Likes that were toggled, folded and flushed by the service's own scripts. */
public record ManyLikes(LaneRig rig) {

  private static final int BATCH = 500;

  public void add(Entity entity, long[] users) {
    List<Toggle> toggles = new ArrayList<>();
    for (int i = 0; i < users.length; i++) {
      toggles.add(new Toggle(entity, LaneRig.LIKE, users[i], true));
      if (toggles.size() == BATCH || i == users.length - 1) {
        RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 1000, LaneRig.NO_LIMIT));
        rig.foldAll(rig.offset());
        toggles.clear();
      }
    }
    rig.flush.run(LaneRig.LANE, 10, LaneRig.NO_LIMIT);
  }
}
