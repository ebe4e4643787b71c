package dev.bitfold.recover;

import dev.bitfold.metric.Lane;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The epochs in PostgreSQL, a row a lane. */
class SqlLaneEpochs implements LaneEpochs {

  private static final String NEXT =
      """
      insert into lane_epoch as known (lane, epoch) values (:lane, :above + 1)
      on conflict (lane) do update set epoch = greatest(known.epoch, :above) + 1
      returning epoch
      """;

  private static final String OPENED =
      "select opened as epoch, since from lane_epoch where lane = :lane";

  private static final String OPENING =
      """
      update lane_epoch
      set opened = greatest(opened, :epoch), since = greatest(since, :since)
      where lane = :lane
      """;

  private final JdbcClient sql;

  SqlLaneEpochs(JdbcClient sql) {
    this.sql = sql;
  }

  @Override
  public long next(Lane lane, long above) {
    return sql.sql(NEXT)
        .param("lane", lane.number())
        .param("above", above)
        .query(Long.class)
        .single();
  }

  @Override
  public Opened opened(Lane lane) {
    return sql.sql(OPENED).param("lane", lane.number()).query(Opened.class).single();
  }

  @Override
  public void opening(Lane lane, long epoch, Loss loss) {
    sql.sql(OPENING)
        .param("lane", lane.number())
        .param("epoch", epoch)
        .param("since", loss == Loss.ACCEPTED ? epoch : 0)
        .update();
  }
}
