package dev.bitfold.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.metric.Entity;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageCursorTest {

  private static final List<Entity> ENTITIES =
      IntStream.range(0, 300).mapToObj(i -> new Entity("post", "e" + i)).toList();

  @Test
  void each_page_is_looked_at_once_if_nothing_moves() {
    for (int pages = 1; pages < 70; pages++) {
      PageCursor cursor = new PageCursor();
      Set<Integer> looked = new HashSet<>();
      int looks = 0;
      while (!cursor.ended()) {
        looked.add(CounterPages.pageOf(cursor.digest(), pages));
        cursor.looked(pages);
        looks++;
      }
      assertThat(looks).isEqualTo(pages);
      assertThat(looked).hasSize(pages);
    }
  }

  @Test
  void whatever_is_split_and_joined_under_a_walk_everything_is_shown() {
    String given = System.getProperty("seed", "");
    long first = given.isEmpty() ? System.nanoTime() % 1_000_000_000 : Long.parseLong(given);
    for (long seed = first; seed < first + 500; seed++) {
      Random random = new Random(seed);
      Set<Entity> shown = new HashSet<>();
      PageCursor cursor = new PageCursor();
      while (!cursor.ended()) {
        int pages = 1 + random.nextInt(40);
        shown.addAll(in(CounterPages.pageOf(cursor.digest(), pages), pages));
        cursor.looked(pages);
      }
      assertThat(shown).as("-Dseed=%d", seed).containsAll(ENTITIES);
    }
  }

  @Test
  void a_lane_that_grows_by_a_page_takes_entities_from_one_other_page_alone() {
    for (int pages = 1; pages < 70; pages++) {
      Set<Integer> taken = new HashSet<>();
      for (Entity entity : ENTITIES) {
        int before = CounterPages.pageOf(entity, pages);
        int after = CounterPages.pageOf(entity, pages + 1);
        if (after != before) {
          assertThat(after).isEqualTo(pages);
          taken.add(before);
        }
      }
      assertThat(taken).hasSizeLessThanOrEqualTo(1);
    }
  }

  private static Set<Entity> in(int page, int pages) {
    return ENTITIES.stream()
        .filter(entity -> CounterPages.pageOf(entity, pages) == page)
        .collect(Collectors.toSet());
  }
}
