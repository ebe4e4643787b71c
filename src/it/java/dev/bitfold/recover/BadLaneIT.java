package dev.bitfold.recover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.lane.LaneState;
import dev.bitfold.lane.OwnedLanes;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hash of the first lane is something else; the lanes after it must not notice. */
class BadLaneIT extends AppTest {

  private static final Lane BAD = new Lane(0);
  private static final byte[] HASH = LaneKeys.lane(BAD);
  private static final byte[] ASIDE = LaneKeys.bytes("aside:" + BAD.tag());

  @BeforeEach
  void damage() {
    RedisReplies.await(app.redis().commands().rename(HASH, ASIDE));
    RedisReplies.await(app.redis().commands().set(HASH, LaneKeys.bytes("not a hash")));
  }

  @AfterEach
  void repair() {
    RedisReplies.await(app.redis().commands().rename(ASIDE, HASH));
  }

  @Test
  void a_bad_lane_does_not_hold_up_the_flush_of_others() {
    for (Lane lane : others()) {
      String post = postOf(lane, "flushed");
      assertThat(http.act(1, "like", post).status()).isEqualTo(200);
      Await.until("the like counted", () -> http.likes(post) == 1);
    }
  }

  @Test
  void a_bad_lane_does_not_hold_up_the_recovery_of_others() {
    OwnedLanes owned = app.bean(OwnedLanes.class);
    owned.closed(BAD);
    for (Lane lane : others()) {
      RedisReplies.await(
          app.redis()
              .commands()
              .hset(LaneKeys.lane(lane), LaneKeys.bytes("open"), LaneKeys.bytes("another life")));
    }
    for (Lane lane : others()) {
      String post = postOf(lane, "recovered");
      Await.until("toggles again", () -> http.act(1, "like", post).status() == 200);
      Await.until("the like counted", () -> http.likes(post) == 1);
    }
    assertThat(owned.in(LaneState.OPEN)).doesNotContain(BAD);
  }

  private List<Lane> others() {
    return app.lanes().all().stream().filter(lane -> !lane.equals(BAD)).toList();
  }

  private String postOf(Lane lane, String name) {
    return IntStream.range(0, 100 * BitfoldApp.LANES)
        .mapToObj(i -> name + "-" + i)
        .filter(post -> app.lanes().of(new Entity("post", post)).equals(lane))
        .findFirst()
        .orElseThrow();
  }
}
