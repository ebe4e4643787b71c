package dev.bitfold.lane;

import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.kafka.CounterEvents;
import dev.bitfold.platform.kafka.KafkaUnavailableException;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisStart;
import dev.bitfold.platform.sql.SqlStart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Refuses a start with another number of lanes than the data was created with. */
class LaneCountCheck {

  private static final Logger log = LoggerFactory.getLogger(LaneCountCheck.class);

  private static final String REMEMBER =
      "insert into lane_count (lanes) values (:lanes) on conflict do nothing";

  LaneCountCheck(RedisNodes redis, CounterEvents topic, JdbcClient sql, Lanes lanes) {
    check("the data in PostgreSQL", SqlStart.await(() -> remembered(sql, lanes)), lanes);
    byte[] found = RedisStart.await(() -> remembered(redis, lanes));
    check("the data in Redis", Integer.parseInt(LaneKeys.text(found)), lanes);
    try {
      check("the topic in Kafka", topic.describe().partitions().size(), lanes);
    } catch (KafkaUnavailableException away) {
      log.info("the topic is new or could not be looked at: {}", away.getMessage());
    }
  }

  private static int remembered(JdbcClient sql, Lanes lanes) {
    sql.sql(REMEMBER).param("lanes", lanes.count()).update();
    return sql.sql("select lanes from lane_count").query(Integer.class).single();
  }

  /** Writes only what is not there: a full Redis takes nothing, and can be read. */
  private static byte[] remembered(RedisNodes redis, Lanes lanes) {
    byte[] found = RedisReplies.await(redis.commands().get(LaneKeys.LANES));
    if (found == null) {
      byte[] wanted = LaneKeys.bytes(Integer.toString(lanes.count()));
      RedisReplies.await(redis.commands().setnx(LaneKeys.LANES, wanted));
      found = RedisReplies.await(redis.commands().get(LaneKeys.LANES));
    }
    return found;
  }

  private static void check(String where, int found, Lanes lanes) {
    if (found != lanes.count()) {
      throw new WrongLaneCountException(where, found, lanes.count());
    }
  }
}
