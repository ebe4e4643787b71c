package dev.bitfold.recover;

import dev.bitfold.metric.Lane;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The source of epochs in PostgreSQL; it outlives Redis and never gives one twice. */
class LaneEpochs {

  private static final String NEXT =
      """
      insert into lane_epoch as known (lane, epoch) values (:lane, :above + 1)
      on conflict (lane) do update set epoch = greatest(known.epoch, :above) + 1
      returning epoch
      """;

  private final JdbcClient sql;

  LaneEpochs(JdbcClient sql) {
    this.sql = sql;
  }

  /** A new epoch of the lane, higher than all before and than the given one. */
  long next(Lane lane, long above) {
    return sql.sql(NEXT)
        .param("lane", lane.number())
        .param("above", above)
        .query(Long.class)
        .single();
  }
}
