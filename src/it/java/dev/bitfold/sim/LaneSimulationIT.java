package dev.bitfold.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plays random schedules: {@code -Dsim.schedules=} how many, {@code -Dseed=} the first seed. Seeds
 * follow each other, so one that went wrong is played again alone with {@code -Dsim.schedules=1}.
 * If no seed is asked for, those that are kept come first: each once caught a lane without a rule.
 */
class LaneSimulationIT {

  private static final int SCHEDULES = Integer.getInteger("sim.schedules", 200);

  /** Some mutants need a rare schedule: so many times as many are played before one is missed. */
  private static final int TRIES = 4;

  /** Seeds that once went wrong without a mutation. */
  private static final long[] FOUND = {752_918_772, 477_108_485};

  private static final String ASKED = System.getProperty("seed", "");

  private static final long SEED =
      ASKED.isEmpty() ? System.nanoTime() % 1_000_000_000 : Long.parseLong(ASKED);

  private static LongStream seeds(LongStream kept, int more) {
    return LongStream.concat(
        ASKED.isEmpty() ? kept : LongStream.empty(), LongStream.range(SEED, SEED + more));
  }

  @Test
  void no_schedule_of_faults_makes_a_counter_wrong() {
    Map<String, Integer> hits = new TreeMap<>();
    LongStream kept = Arrays.stream(Mutant.values()).mapToLong(mutant -> mutant.kept).distinct();
    seeds(LongStream.concat(Arrays.stream(FOUND), kept), SCHEDULES)
        .forEach(
            seed -> {
              try {
                new LaneSimulation(seed, UnaryOperator.identity(), false)
                    .run()
                    .forEach((what, times) -> hits.merge(what, times, Integer::sum));
              } catch (LaneSimulation.Wrong wrong) {
                fail("-Dseed=" + seed + " went wrong: " + wrong.getMessage(), wrong);
              }
            });
    System.out.println("simulation: " + SCHEDULES + " schedules from seed " + SEED + ": " + hits);
    if (SCHEDULES >= 100) {
      assertThat(hits)
          .as("a run in which a branch never happened proves nothing")
          .containsKeys(
              "alreadyopen",
              "beyond",
              "blocked",
              "duplicate",
              "emptied",
              "failed-back",
              "flipped-bit",
              "floored",
              "flush-large",
              "flush-rebuilt",
              "flushed",
              "gap",
              "in-the-log",
              "late-send",
              "loss-accepted",
              "lost-bucket",
              "lost-counter",
              "out-of-order",
              "page-split",
              "reapplied",
              "rebuild-busy",
              "rebuild-corrected",
              "rebuild-done",
              "rebuild-fenced",
              "rebuild-more",
              "rebuild-present",
              "reconcile-agrees",
              "reconcile-busy",
              "reconcile-corrected",
              "reconcile-fenced",
              "reconcile-more",
              "recovery-died",
              "refused",
              "reopened",
              "seek",
              "send-failed",
              "shard-dense",
              "shard-joined",
              "shard-sparse",
              "shard-split",
              "stale",
              "stale-call",
              "tail-loss",
              "topic-lost",
              "truncated-counter",
              "two-recoveries",
              "yielded");
    }
  }

  /** One rule of the scripts, or of what a recovery relies on, taken away. */
  enum Mutant {
    NO_DUPLICATE_CHECK(1, "number <= folded then", "number < 0 then"),
    NO_GAP_RULE(2, "number > folded + 1 then", "false then"),
    NO_FLOOR(1, "number <= floor_of(entity) then", "false then"),
    COUNTER_FROM_ZERO(
        917328307,
        "local fields = counter_get(entity)\n  local deltas",
        "local fields = counter_get(entity) or {0, 0, 0, 0, 0}\n  local deltas"),
    NO_EPOCH(917328308, "ARGV[i] ~= epoch then", "false then"),
    NO_OPEN_CHECK(917328310, "return lane[1] == LIFE", "return lane[1] ~= false"),
    BATCH_BEYOND_OFFSET(4, "seen or from > stored then", "false then"),
    READ_AGAIN(917328343, "local seen = from < stored", "local seen = false"),
    FORGETS_WHERE_IT_STOOD(21, "state[4] or digits(seq)", "digits(seq)"),
    NO_COMPENSATION(917328312, "if from and chunk <", "if false and chunk <"),
    COUNTS_JOINED_SHARDS_WHOLE(292473061, "shard.dense or shard.first >= from then", "true then"),
    DENSE_BEYOND_ITS_CHUNK(1, "shard.dense and shard.first < chunk then", "false then"),
    NEW_SHARD_NOT_LISTED(
        1, "elseif ids == 1 and redis.call('EXISTS'", "elseif false and redis.call('EXISTS'"),
    JOINED_SHARD_STAYS_LISTED(917328308, "unlist_shard(metric, entity, right)", ""),
    COUNTER_STAYS_WHERE_IT_WAS(1, "redis.call('HDEL', page_key(from), entity)", ""),
    NOTHING_MOVES_TO_THE_NEW_PAGE(1, "page_of(counters[i]) == last then", "false then"),
    TRIM_WHEN_SENT(1, "'MINID', digits(folded + 1)", "'MINID', digits(folded + 2)"),
    COMPARES_WITHOUT_EVENTS(1, "if number > passed and name == entity then", "if false then"),
    COMPARES_WITH_EVENTS_OF_OTHERS(1, "number > passed and name == entity", "number > passed"),
    COMPARES_WITH_FOLDED_EVENTS(4, "number > passed and name == entity", "name == entity"),
    COMPARES_WITHOUT_FLOOR(
        1,
        "math.max(folded_seq(), tonumber(redis.call('ZSCORE', FLOOR, entity) or '0'))",
        "folded_seq()"),
    COMPARES_WITHOUT_BUCKET(
        2, "waiting = waiting or deltas[i] ~= 0", "fields[i] = fields[i] - deltas[i]"),
    CORRECTS_WITHOUT_LOOKING(1, "return 'drift'", "return nil"),
    MARKER_WITHOUT_FOLDED(
        292472729,
        "local folded, kept = digits(math.max(folded_seq(), tonumber(state[5] or '0'))), 0",
        "local folded, kept = '0', 0"),
    ANOTHER_LIFE_FOLDED_NOTHING(917328342, "'folded', ARGV[5])", "'folded', '0')"),
    STAYS_ON_A_LOST_TOPIC(917328313, "ARGV[2] ~= topic", "false"),
    OTHER_LIFE_TRUSTED(292472713, "if kept_here then\n", "do\n"),
    OPENS_BEYOND_WHAT_WAS_READ(1, "'offset', ARGV[4],", "'offset', ARGV[4] + 3,"),
    MARK_OF_ANOTHER_LIFE_STAYS(917328308, "redis.call('HDEL', KEYS[1], 'open')", ""),
    NO_OPENING_REMEMBERED(45, "", "");

    private final long kept;
    private final String rule;
    private final String without;

    /**
     * A mutant.
     *
     * @param kept a seed that catches it; when the simulation changes, one that does is printed
     */
    Mutant(long kept, String rule, String without) {
      this.kept = kept;
      this.rule = rule;
      this.without = without;
    }

    String mutate(String text) {
      return text.replace(rule, without);
    }

    boolean forgetful() {
      return this == NO_OPENING_REMEMBERED;
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lane_without_one_rule_is_caught(Mutant mutant) {
    OptionalLong caught =
        seeds(LongStream.of(mutant.kept), TRIES * SCHEDULES)
            .filter(seed -> goesWrong(seed, mutant))
            .findFirst();
    assertThat(caught).as("caught by some seed from %d on", SEED).isPresent();
  }

  private static boolean goesWrong(long seed, Mutant mutant) {
    boolean[] changed = {mutant.forgetful()};
    UnaryOperator<String> mutation =
        text -> {
          String mutated = mutant.mutate(text);
          changed[0] |= !mutated.equals(text);
          return mutated;
        };
    try {
      new LaneSimulation(seed, mutation, mutant.forgetful()).run();
    } catch (LaneSimulation.Wrong caught) {
      System.out.println(mutant + " caught by seed " + seed + ": " + caught.getMessage());
      return true;
    }
    assertThat(changed[0]).as("the rule stands in a script").isTrue();
    return false;
  }
}
