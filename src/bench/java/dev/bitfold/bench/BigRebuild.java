package dev.bitfold.bench;

import static dev.bitfold.bench.Report.count;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.platform.redis.RedisReplies;
import java.util.ArrayList;
import java.util.List;

/** A counter of a million likes is made again; Redis itself tells how long it was held up. */
final class BigRebuild implements Section {

  private static final String POST = "rebuilt";
  private static final int LIKES = 1_000_000;
  private static final int TIMES = 5;
  private static final int LOGGED = 100_000;
  private static final int TARGET_MICROS = 2_000;

  /** Place of the duration and of the arguments in an entry of the slow log. */
  private static final int MICROS = 2;

  private static final int ARGUMENTS = 3;

  @Override
  public String name() {
    return "rebuild";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("Rebuild of an entity with %s likes".formatted(count(LIKES)));
    long begun = System.nanoTime();
    new Population(bench.deployment()).likes(POST, LIKES, bench.calls(10));
    double populating = (System.nanoTime() - begun) / 1e9;
    var redis = bench.deployment().redis.commands();
    RedisReplies.await(redis.configSet("slowlog-max-len", Integer.toString(LOGGED)));
    RedisReplies.await(redis.configSet("slowlog-log-slower-than", "0"));
    List<List<String>> table = new ArrayList<>();
    long longest = 0;
    for (int i = 0; i < TIMES; i++) {
      RedisReplies.await(redis.slowlogReset());
      long start = System.nanoTime();
      var answer = bench.deployment().http().post("/api/v1/admin/rebuild/post/" + POST, "");
      long nanos = System.nanoTime() - start;
      if (answer.status() != 200) {
        throw new IllegalStateException(answer.text());
      }
      List<Long> calls = calls(RedisReplies.await(redis.slowlogGet(LOGGED)));
      long most = calls.stream().mapToLong(Long::longValue).max().orElse(0);
      longest = Math.max(longest, most);
      table.add(
          List.of(
              "%.1f".formatted(nanos / 1e6),
              count(calls.size()),
              count(most),
              count(calls.stream().mapToLong(Long::longValue).sum()),
              answer.json().at("/after/like").asString()));
    }
    RedisReplies.await(redis.configSet("slowlog-log-slower-than", "10000"));
    bench
        .report()
        .text(
            "Users of 200 million; %.0f s to have them counted. Redis calls about the entity:"
                .formatted(populating));
    bench
        .report()
        .table(List.of("total ms", "calls", "longest call µs", "all calls µs", "likes"), table);
    bench
        .report()
        .target(
            "rebuild of 1 M likes: longest Redis call",
            "≤ 2 ms",
            "%.2f ms".formatted(longest / 1e3),
            longest > 0 && longest <= TARGET_MICROS);
  }

  /** Microseconds of the calls that name the entity. */
  private static List<Long> calls(List<Object> log) {
    List<Long> calls = new ArrayList<>();
    for (Object line : log) {
      List<?> entry = (List<?>) line;
      boolean ours =
          ((List<?>) entry.get(ARGUMENTS))
              .stream().anyMatch(word -> LaneKeys.text((byte[]) word).equals("post:" + POST));
      if (ours) {
        calls.add((Long) entry.get(MICROS));
      }
    }
    return calls;
  }
}
