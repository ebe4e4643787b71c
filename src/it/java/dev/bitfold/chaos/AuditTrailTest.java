package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.chaos.AuditTrail.Line;
import dev.bitfold.chaos.Damage.Kind;
import dev.bitfold.chaos.Faults.Injuries;
import dev.bitfold.metric.Entity;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditTrailTest {

  private static final Entity POST = new Entity("post", "1");
  private static final long SECOND = 1_000_000;

  @Test
  void a_lost_bucket_has_a_line() {
    Damage lost = damage(Kind.BUCKET_LOST, SECOND, 2, -1);
    assertThat(check(List.of(line("drift", 2 * SECOND)), lost)).isEmpty();
    assertThat(check(List.of(), lost)).hasSize(1);
  }

  @Test
  void a_line_tells_of_all_damage_before_it_and_of_none_after() {
    Damage early = damage(Kind.BUCKET_LOST, SECOND, 2, 0);
    Damage late = damage(Kind.FLIPPED, 3 * SECOND, 1 << 20, 0);
    assertThat(check(List.of(line("drift", 4 * SECOND)), early, late)).isEmpty();
    assertThat(check(List.of(line("drift", 2 * SECOND)), early, late)).hasSize(1);
  }

  @Test
  void damage_that_came_to_nothing_needs_no_line() {
    Damage less = damage(Kind.BUCKET_LOST, SECOND, -2, 1);
    Damage more = damage(Kind.BUCKET_LOST, 2 * SECOND, 2, -1);
    Damage other = damage(Kind.BUCKET_LOST, 2 * SECOND, 2, 1);
    assertThat(check(List.of(), less, more)).isEmpty();
    assertThat(check(List.of(), less, other)).hasSize(1);
  }

  @Test
  void a_truncated_counter_has_a_line_although_its_fields_say_nothing() {
    assertThat(check(List.of(), damage(Kind.TRUNCATED, SECOND, 0, 0))).hasSize(1);
  }

  @Test
  void a_deleted_counter_takes_all_damage_with_it() {
    assertThat(
            check(
                List.of(),
                damage(Kind.BUCKET_LOST, SECOND, 2, 0),
                damage(Kind.DELETED, 2 * SECOND, 0, 0)))
        .isEmpty();
    assertThat(
            check(
                List.of(),
                damage(Kind.DELETED, SECOND, 0, 0),
                damage(Kind.BUCKET_LOST, 2 * SECOND, 2, 0)))
        .hasSize(1);
  }

  @Test
  void a_line_without_damage_before_it_is_unexplained() {
    assertThat(check(List.of(line("drift", SECOND)))).isNotEmpty();
    assertThat(check(List.of(line("malformed", 2 * SECOND)), damage(Kind.FLIPPED, SECOND, 4096, 0)))
        .isNotEmpty();
  }

  @Test
  void a_correction_leaves_nothing_for_the_next_line() {
    Damage first = damage(Kind.FLIPPED, SECOND, 4096, 0);
    Damage second = damage(Kind.FLIPPED, 2 * SECOND, 4096, 0);
    Line line = line("drift", 3 * SECOND);
    Line again = line("drift", 5 * SECOND);
    assertThat(check(List.of(again, line), first, second)).hasSize(1);
    assertThat(check(List.of(again, line), first, damage(Kind.FLIPPED, 4 * SECOND, 4096, 0)))
        .isEmpty();
    Damage unanswered = new Damage(POST, Kind.FLIPPED, 2 * SECOND, Damage.NEVER, null);
    assertThat(check(List.of(again, line), first, unanswered))
        .as("it may have happened late")
        .isEmpty();
  }

  @Test
  void redis_may_forget_a_correction() {
    Damage first = damage(Kind.FLIPPED, SECOND, 4096, 0);
    Injuries forgetful =
        new Injuries(
            List.of(),
            List.of(new Loss(3 * SECOND, 4 * SECOND, 4 * SECOND, false)),
            List.of(first),
            List.of());
    assertThat(
            AuditTrail.check(
                List.of(line("drift", 5 * SECOND), line("drift", 2 * SECOND)), forgetful))
        .isEmpty();
  }

  private static List<Violation> check(List<Line> lines, Damage... damages) {
    return AuditTrail.check(lines, new Injuries(List.of(), List.of(), List.of(damages), List.of()));
  }

  private static Damage damage(Kind kind, long at, long like, long fav) {
    return new Damage(POST, kind, at, at + 100, List.of(like, fav));
  }

  private static Line line(String cause, long at) {
    return new Line(1, POST, cause, at);
  }
}
