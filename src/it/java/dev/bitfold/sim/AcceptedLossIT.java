package dev.bitfold.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.recover.RecoverResult;
import dev.bitfold.recover.RecoverRound;
import dev.bitfold.recover.RecoverSettings;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneRig.Life;
import dev.bitfold.testkit.TestRedis;
import io.lettuce.core.RestoreArgs;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What was given up is not asked for again: the lane starts over, with new numbers. */
class AcceptedLossIT {

  private static final Entity POST = new Entity("post", "1");

  private final Life life = new Life("life-0");
  private final ListLog log = new ListLog(() -> {}, () -> {});
  private final CountedEpochs epochs = new CountedEpochs(false);
  private LaneRig rig = new LaneRig(TestRedis.empty(), life, UnaryOperator.identity());
  private int lives;

  @Test
  void lane_opens_from_a_copy_that_is_younger_than_the_loss() throws KafkaUnavailableException {
    assertThat(recover(false)).isInstanceOf(RecoverResult.Reopened.class);
    for (int user = 1; user <= 5; user++) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
    log.records().addAll(rig.outbox.run(LaneRig.LANE, 0, LaneRig.NO_LIMIT).events());
    rig.foldAll(rig.offset());
    log.lose();
    assertThat(recover(false)).isInstanceOf(RecoverResult.Reopened.class);

    RedisReplies.await(rig.redis.commands().flushall());
    restart();
    assertThat(recover(false)).isInstanceOf(RecoverResult.Blocked.class);
    assertThat(recover(true)).isInstanceOf(RecoverResult.Reopened.class);
    rig.toggle(POST, LaneRig.LIKE, 6, true);
    Map<byte[], byte[]> copy = copy();

    restart();
    assertThat(recover(false)).isInstanceOf(RecoverResult.Reopened.class);
    restart();
    restore(copy);
    assertThat(recover(false)).isInstanceOf(RecoverResult.Reopened.class);
    assertThat(rig.seq()).isEqualTo(1);
  }

  /** The marker of a loss revokes all before it, so what the state holds is nowhere else. */
  @Test
  void state_that_a_loss_was_accepted_with_is_not_lost_in_silence()
      throws KafkaUnavailableException {
    recover(false);
    for (int user = 1; user <= 5; user++) {
      rig.toggle(POST, LaneRig.LIKE, user, true);
    }
    rig.foldAll(rig.offset());
    Map<byte[], byte[]> copy = copy();
    log.lose();
    RedisReplies.await(rig.redis.commands().flushall());
    restart();
    assertThat(recover(true)).isInstanceOf(RecoverResult.Reopened.class);

    restart();
    restore(copy);
    assertThat(recover(false)).isInstanceOf(RecoverResult.Blocked.class);
    assertThat(recover(true)).isInstanceOf(RecoverResult.Reopened.class);
    assertThat(rig.folded()).isEqualTo(5);

    RedisReplies.await(rig.redis.commands().flushall());
    restart();
    assertThat(recover(false)).isInstanceOf(RecoverResult.Blocked.class);
  }

  private void restart() {
    life.begin(rig.redis, "life-" + ++lives);
    rig = new LaneRig(rig.redis, life, UnaryOperator.identity());
  }

  private Map<byte[], byte[]> copy() {
    Map<byte[], byte[]> data = new HashMap<>();
    for (byte[] key : RedisReplies.await(rig.redis.commands().keys("*"))) {
      data.put(key, RedisReplies.await(rig.redis.commands().dump(key)));
    }
    return data;
  }

  private void restore(Map<byte[], byte[]> data) {
    RedisReplies.await(rig.redis.commands().flushall());
    data.forEach(
        (key, value) ->
            RedisReplies.await(rig.redis.commands().restore(key, value, new RestoreArgs())));
  }

  private RecoverResult recover(boolean acceptLoss) throws KafkaUnavailableException {
    RecoverSettings settings =
        new RecoverSettings(Duration.ZERO, Duration.ZERO, 3, Duration.ZERO, acceptLoss);
    log.look();
    return new RecoverRound(
            rig.claim, rig.reapply, rig.open, epochs, log, settings, Clock.systemUTC())
        .run(LaneRig.LANE);
  }
}
