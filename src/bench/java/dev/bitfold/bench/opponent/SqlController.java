package dev.bitfold.bench.opponent;

import dev.bitfold.bench.opponent.Answers.CounterResponse;
import dev.bitfold.bench.opponent.Answers.EntityRequest;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;

/** A row for each fact and a row for each counter, changed in one transaction. */
@Opponent
@RequestMapping("/api/v1/sql")
class SqlController {

  private static final String LIKE =
      "insert into bench_like (entity, user_id) values (?, ?) on conflict do nothing";
  private static final String UNLIKE = "delete from bench_like where entity = ? and user_id = ?";
  private static final String COUNT =
      "insert into bench_counter (entity, likes, favs) values (?, ?, 0)"
          + " on conflict (entity) do update set likes = bench_counter.likes + excluded.likes";
  private static final String READ = "select likes, favs from bench_counter where entity = ?";

  private final JdbcClient sql;
  private final TransactionTemplate transaction;

  SqlController(JdbcClient sql, TransactionTemplate transaction) {
    this.sql = sql;
    this.transaction = transaction;
    sql.sql("create table bench_like (entity text, user_id bigint, primary key (entity, user_id))")
        .update();
    sql.sql("create table bench_counter (entity text primary key, likes bigint, favs bigint)")
        .update();
  }

  @GetMapping("/{entityType}/{entityId}")
  CounterResponse counter(@PathVariable String entityType, @PathVariable String entityId) {
    return sql.sql(READ)
        .param(entityType + ":" + entityId)
        .query(
            (row, number) -> Answers.counter(entityType, entityId, row.getLong(1), row.getLong(2)))
        .optional()
        .orElseGet(() -> Answers.counter(entityType, entityId, 0, 0));
  }

  @PostMapping("/{action:like|unlike}")
  Map<String, Boolean> act(
      @PathVariable String action,
      @RequestHeader("X-User-Id") long user,
      @RequestBody EntityRequest request) {
    boolean like = action.equals("like");
    String entity = request.entityType() + ":" + request.entityId();
    return transaction.execute(
        status -> {
          boolean changed = sql.sql(like ? LIKE : UNLIKE).param(entity).param(user).update() == 1;
          if (changed) {
            sql.sql(COUNT).param(entity).param(like ? 1 : -1).update();
          }
          return Answers.toggled(changed, like);
        });
  }
}
