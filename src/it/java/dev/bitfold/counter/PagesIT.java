package dev.bitfold.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.fact.Toggle;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.platform.redis.RedisUnavailableException;
import dev.bitfold.rebuild.RebuildScript.Mode;
import dev.bitfold.testkit.InvariantExtension;
import dev.bitfold.testkit.LaneRig;
import dev.bitfold.testkit.LaneView;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where counters lie: {@code counter/pages.inc.lua}. */
@ExtendWith(InvariantExtension.class)
class PagesIT {

  private static final int LIMIT = 4;
  private static final int MANY = 60;
  private static final int USER = 7;

  private LaneRig rig = LaneRig.open(LaneRig.SHARD_IDS, LIMIT);
  private LaneView view = new LaneView(rig);

  @Test
  void few_counters_are_one_page_and_the_lane_does_not_even_say_so() {
    like(0, LIMIT);
    assertThat(view.pages()).containsOnlyKeys(0);
    assertThat(view.lane()).doesNotContainKey("v1:pages");
  }

  @Test
  void pages_are_split_one_at_a_time_as_counters_come() {
    int pages = 1;
    for (int i = 0; i < MANY; i++) {
      like(i);
      assertThat(view.pageCount()).isBetween(pages, pages + 1);
      pages = view.pageCount();
      counted(all(0, i + 1));
    }
    assertThat(pages).isGreaterThan(MANY / (3 * LIMIT)).isLessThan(MANY / 2);
  }

  @Test
  void pages_are_joined_one_at_a_time_as_counters_go() {
    like(0, MANY);
    int pages = view.pageCount();
    for (int i = 0; i < MANY; i++) {
      unlike(i);
      assertThat(view.pageCount()).isBetween(pages - 1, pages);
      pages = view.pageCount();
      counted(all(i + 1, MANY));
    }
    assertThat(pages).isEqualTo(1);
    assertThat(view.pages()).isEmpty();
  }

  @Test
  void counter_that_comes_and_goes_at_a_limit_moves_nothing() {
    like(0, LIMIT);
    assertThat(view.pageCount()).isEqualTo(1);
    like(LIMIT);
    assertThat(view.pageCount()).isEqualTo(2);
    goesAndComes(LIMIT);
    unlike(LIMIT / 2 + 1, LIMIT + 1);
    assertThat(view.pageCount()).isEqualTo(2);
    unlike(LIMIT / 2);
    assertThat(view.pageCount()).isEqualTo(1);
    like(LIMIT / 2);
    goesAndComes(LIMIT / 2);
  }

  @Test
  void counter_that_comes_and_goes_in_a_page_that_waits_for_its_turn_splits_no_others() {
    like(0, MANY);
    settle(0);
    Set<String> fullest =
        view.pages().values().stream().max(Comparator.comparing(Set::size)).orElseThrow();
    assertThat(fullest).hasSizeGreaterThan(LIMIT);
    int number = number(fullest.iterator().next());
    goesAndComes(number);
  }

  @Test
  void lane_of_any_size_comes_to_rest_whoever_comes_and_goes() {
    for (int size = 1; size <= MANY; size++) {
      like(size - 1);
      settle(size - 1);
      goesAndComes(size - 1);
    }
  }

  /** Lets the splits come that are due: a counter that comes splits one page at most. */
  private void settle(int number) {
    for (int pages = 0; pages < view.pageCount(); ) {
      pages = view.pageCount();
      unlike(number);
      like(number);
    }
  }

  private void goesAndComes(int number) {
    Map<Integer, Set<String>> pages = view.pages();
    int count = view.pageCount();
    for (int i = 0; i < 5; i++) {
      unlike(number);
      assertThat(view.pageCount()).isEqualTo(count);
      like(number);
      assertThat(view.pageCount()).isEqualTo(count);
      assertThat(view.pages()).isEqualTo(pages);
    }
  }

  @Test
  void last_user_to_unlike_takes_the_counter_out_of_its_page() {
    like(0, 3);
    unlike(1);
    assertThat(view.pages()).isEqualTo(Map.of(0, Set.of("post:0", "post:2")));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 12})
  void each_counter_is_in_one_page_where_java_looks_for_it_whatever_comes_and_goes(int limit) {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    rig = LaneRig.open(LaneRig.SHARD_IDS, limit);
    view = new LaneView(rig);
    Set<String> model = new TreeSet<>();
    int most = 1;
    for (int i = 0; i < 300; i++) {
      boolean grow = i % 150 < 75 ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
      int number = random.nextInt(70);
      if (grow) {
        like(number);
        model.add("post:" + number);
      } else {
        unlike(number);
        model.remove("post:" + number);
      }
      counted(model);
      most = Math.max(most, view.pageCount());
    }
    assertThat(most).as("-Dseed=%d, limit %d", seed, limit).isGreaterThan(1);
  }

  @Test
  void rebuild_puts_counters_into_pages_and_splits_them() {
    like(0, MANY);
    view.pages().keySet().forEach(this::lose);
    view.lane("v1:pages", "1");
    for (int i = 0; i < MANY; i++) {
      rebuild(i);
    }
    counted(all(0, MANY));
    assertThat(view.pageCount()).isEqualTo(pagesAfter(MANY));
  }

  /** How many pages so many counters make that come one after the other. */
  private int pagesAfter(int counters) {
    int pages = 1;
    for (int i = 0; i < counters; i++) {
      int count = pages;
      int turn = pages - Integer.highestOneBit(pages);
      long inTurn =
          IntStream.rangeClosed(0, i)
              .filter(number -> CounterPages.pageOf(post(number), count) == turn)
              .count();
      pages += inTurn > LIMIT ? 1 : 0;
    }
    return pages;
  }

  @Test
  void fold_that_drops_a_counter_joins_pages() {
    like(0, LIMIT + 1);
    unlike(LIMIT / 2 + 1, LIMIT + 1);
    assertThat(view.pageCount()).isEqualTo(2);
    view.textForBucket(post(0));
    toggle(0, 1, false);
    assertThat(view.counter(post(0))).isEmpty();
    assertThat(view.pageCount()).isEqualTo(1);
    flush();
    counted(all(1, LIMIT / 2 + 1));
  }

  @Test
  void page_of_another_type_costs_its_own_counters_alone() {
    like(0, MANY);
    Map<Integer, Set<String>> pages = view.pages();
    Set<String> lost = pages.get(1);
    Set<String> kept = all(0, MANY);
    kept.removeAll(lost);
    listAt(1);
    int number = number(lost.iterator().next());
    rebuild(number);
    kept.add("post:" + number);
    counted(kept);
    lost.forEach(name -> rebuild(number(name)));
    counted(all(0, MANY));
  }

  @Test
  void list_where_the_new_page_will_be_gives_way_to_a_split() {
    like(0, LIMIT);
    listAt(1);
    like(LIMIT, LIMIT + 1);
    assertThat(view.pageCount()).isEqualTo(2);
    counted(all(0, LIMIT + 1));
  }

  @Test
  void counters_left_where_the_new_page_will_be_are_not_seen_again() {
    like(0, LIMIT);
    RedisReplies.await(rig.redis.commands().hset(key(1), LaneKeys.bytes("post:900"), new byte[20]));
    like(LIMIT, LIMIT + 1);
    assertThat(view.pageCount()).isEqualTo(2);
    counted(all(0, LIMIT + 1));
  }

  @Test
  void page_of_another_type_whose_turn_it_is_gives_way() {
    like(0, LIMIT + 1);
    Set<String> kept = view.pages().get(1);
    listAt(0);
    for (int i = LIMIT + 1; i < MANY; i++) {
      if (CounterPages.pageOf(post(i), 2) == 1) {
        like(i);
        kept.add("post:" + i);
        counted(kept);
      }
    }
    IntStream.range(0, MANY).forEach(this::like);
    IntStream.range(0, MANY).forEach(this::rebuild);
    counted(all(0, MANY));
    assertThat(view.pageCount()).isGreaterThan(2);
  }

  @Test
  void last_page_of_another_type_gives_way_to_a_join() {
    like(0, LIMIT + 1);
    Set<String> first = view.pages().get(0);
    listAt(1);
    shrinks(first);
  }

  @Test
  void page_of_another_type_gives_way_to_the_one_that_is_joined_with_it() {
    like(0, LIMIT + 1);
    Set<String> last = view.pages().get(1);
    listAt(0);
    shrinks(last);
  }

  /** One of two pages shrinks until it is joined with the other, which is of another type. */
  private void shrinks(Set<String> page) {
    assertThat(page).hasSizeGreaterThan(1);
    Set<String> left = new TreeSet<>(page);
    for (String name : page) {
      if (left.size() > 1) {
        unlike(number(name));
        left.remove(name);
      }
    }
    assertThat(view.pageCount()).isEqualTo(1);
    counted(left);
    IntStream.range(0, LIMIT + 1).forEach(this::rebuild);
  }

  @Test
  void reader_with_an_old_number_of_pages_finds_the_right_counter_or_none() {
    List<Entity> entities =
        IntStream.range(0, 8 * MANY)
            .mapToObj(PagesIT::post)
            .filter(entity -> new Lanes(4).of(entity).equals(LaneRig.LANE))
            .limit(MANY)
            .toList();
    Counters reader = reader();
    assertThat(reader.get(entities)).containsOnly(Optional.empty());
    entities.forEach(entity -> like(number(entity.toString())));
    List<Optional<Totals>> old = reader.get(entities);
    Totals right = new Totals(List.of(0L, 1L, 0L, 0L, 0L));
    assertThat(old).contains(Optional.empty()).contains(Optional.of(right)).hasSize(MANY);
    assertThat(new HashSet<>(old)).hasSize(2);
    reader.lookAgain(entities.get(0));
    assertThat(reader.get(entities)).containsOnly(Optional.of(right));
    int pages = view.pageCount();
    for (Entity entity : entities.subList(2, MANY)) {
      unlike(number(entity.toString()));
    }
    assertThat(view.pageCount()).isLessThan(pages);
    assertThat(reader.get(entities.subList(2, MANY))).containsOnly(Optional.empty());
    reader.lookAgain(entities.get(0));
    assertThat(reader.get(entities.subList(0, 2))).containsOnly(Optional.of(right));
  }

  @Test
  void walk_shows_whatever_is_there_from_its_beginning_to_its_end() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    like(0, MANY);
    Set<Integer> sizes = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      CounterWalk walk = reader().walk(List.of(LaneRig.LANE));
      Set<String> shown = new HashSet<>();
      for (int i = 0; !walk.ended(); i++) {
        shown.addAll(walk.next());
        List<Integer> passing = IntStream.range(MANY, 3 * MANY).boxed().toList();
        for (int j = 0; j < 6; j++) {
          int number = passing.get(random.nextInt(passing.size()));
          if ((round + i / 8) % 2 == 0) {
            like(number);
          } else {
            unlike(number);
          }
        }
        sizes.add(view.pageCount());
      }
      assertThat(shown).as("-Dseed=%d, round %d", seed, round).containsAll(all(0, MANY));
    }
    assertThat(sizes).hasSizeGreaterThan(5);
  }

  @Test
  void pages_stay_packed_with_the_limits_of_a_redis_that_nobody_has_set() {
    rig = LaneRig.open(512, 40);
    view = new LaneView(rig);
    int fullest = 0;
    for (int i = 0; i < 20_000; i += 500) {
      like(i, i + 500);
      for (int page = 0; page < view.pageCount(); page++) {
        fullest = Math.max(fullest, size(page));
      }
    }
    assertThat(fullest).isBetween(40, 128);
    for (int page = 0; page < view.pageCount(); page++) {
      assertThat(RedisReplies.await(rig.redis.commands().objectEncoding(key(page))))
          .isEqualTo("listpack");
    }
  }

  @Test
  void walk_of_which_only_unreadable_lanes_are_left_is_stuck() {
    like(0, 1);
    byte[] unreadable = LaneKeys.lane(new Lane(1));
    RedisReplies.await(rig.redis.commands().set(unreadable, unreadable));
    CounterWalk walk = reader().walk(List.of(new Lane(1), LaneRig.LANE));
    assertThatThrownBy(walk::next).isInstanceOf(RedisUnavailableException.class);
    assertThat(walk.stuck()).as("another lane is left").isFalse();
    assertThat(walk.next()).containsExactly("post:0");
    assertThat(walk.stuck()).as("nothing has failed since").isFalse();
    assertThatThrownBy(walk::next).isInstanceOf(RedisUnavailableException.class);
    assertThat(walk.stuck()).isTrue();
    RedisReplies.await(rig.redis.commands().del(unreadable));
    assertThat(walk.next()).isEmpty();
    assertThat(walk.stuck()).isFalse();
    assertThat(walk.ended()).isTrue();
  }

  private Counters reader() {
    Lanes lanes = new Lanes(4);
    return new Counters(
        rig.redis,
        lanes,
        new CounterPages(rig.redis, lanes, LaneRig.SCHEMA),
        new PageScript(rig.scripts),
        LaneRig.SCHEMA,
        new SharedReads(rig.redis, new CounterSettings(8, 500, 20_000), Clock.systemUTC()));
  }

  /** These have a counter and no others, each in the page where Java looks for it. */
  private void counted(Set<String> names) {
    Set<String> seen = new TreeSet<>();
    view.pages()
        .forEach(
            (page, entities) ->
                entities.forEach(
                    name -> {
                      assertThat(seen.add(name)).as("%s is in two pages", name).isTrue();
                      assertThat(CounterPages.pageOf(Entity.parse(name), view.pageCount()))
                          .as(name)
                          .isEqualTo(page);
                    }));
    assertThat(seen).isEqualTo(names);
  }

  private static Set<String> all(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "post:" + i)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void like(int number) {
    like(number, number + 1);
  }

  private void like(int from, int to) {
    toggle(from, to, true);
    flush();
  }

  private void unlike(int number) {
    unlike(number, number + 1);
  }

  private void unlike(int from, int to) {
    toggle(from, to, false);
    flush();
  }

  private void toggle(int from, int to, boolean wanted) {
    List<Toggle> toggles =
        IntStream.range(from, to)
            .mapToObj(i -> new Toggle(post(i), LaneRig.LIKE, USER, wanted))
            .toList();
    RedisReplies.await(rig.toggle.run(LaneRig.LANE, toggles, 1000, LaneRig.NO_LIMIT));
    rig.foldAll(rig.offset());
  }

  private void flush() {
    assertThat(rig.flush.run(LaneRig.LANE, 1000, LaneRig.NO_LIMIT).left()).isZero();
  }

  private void rebuild(int number) {
    RedisReplies.await(
        rig.rebuild.first(
            LaneRig.LANE, post(number), "t", Mode.FORCE, LaneRig.steps(LaneRig.NO_LIMIT)));
  }

  private int size(int page) {
    return RedisReplies.await(rig.redis.commands().hlen(key(page))).intValue();
  }

  private void lose(int page) {
    RedisReplies.await(rig.redis.commands().del(key(page)));
  }

  private void listAt(int page) {
    lose(page);
    RedisReplies.await(rig.redis.commands().rpush(key(page), LaneKeys.bytes("no page")));
  }

  private static byte[] key(int page) {
    return LaneKeys.counters(LaneRig.LANE, LaneRig.SCHEMA, page);
  }

  private static Entity post(int number) {
    return new Entity("post", Integer.toString(number));
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(name.indexOf(':') + 1));
  }
}
