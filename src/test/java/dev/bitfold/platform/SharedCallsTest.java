package dev.bitfold.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bitfold.platform.redis.SharedCalls;
import dev.bitfold.platform.redis.SharedCalls.Limits;
import dev.bitfold.platform.redis.TooManyWaitingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SharedCallsTest {

  /** Calls that were made; a test answers them. */
  private final List<List<String>> calls = new ArrayList<>();

  private final List<CompletableFuture<List<String>>> answers = new ArrayList<>();
  private final MovableClock clock = new MovableClock();

  private SharedCalls<String, String> shared(Limits limits) {
    return new SharedCalls<>(
        questions -> {
          calls.add(questions);
          answers.add(new CompletableFuture<>());
          return answers.get(answers.size() - 1);
        },
        String::length,
        limits,
        clock);
  }

  private void answer(int call) {
    answers.get(call).complete(calls.get(call).stream().map(question -> "re " + question).toList());
  }

  private static String answered(CompletionStage<String> stage) {
    return stage.toCompletableFuture().getNow("nothing yet");
  }

  @Test
  void a_question_goes_at_once_while_calls_may_be_made() {
    SharedCalls<String, String> shared = shared(new Limits(2, 10, 10));
    shared.ask("a");
    shared.ask("b");
    assertThat(calls).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void questions_that_come_meanwhile_share_the_next_call_and_each_gets_its_own_answer() {
    SharedCalls<String, String> shared = shared(new Limits(1, 10, 10));
    shared.ask("a");
    CompletionStage<String> b = shared.ask("b");
    CompletionStage<String> c = shared.ask("c");
    assertThat(calls).hasSize(1);
    answer(0);
    assertThat(calls).containsExactly(List.of("a"), List.of("b", "c"));
    assertThat(answered(b)).isEqualTo("nothing yet");
    answer(1);
    assertThat(answered(b)).isEqualTo("re b");
    assertThat(answered(c)).isEqualTo("re c");
  }

  @Test
  void the_next_call_is_under_way_before_anybody_hears_of_the_last() {
    SharedCalls<String, String> shared = shared(new Limits(1, 10, 10));
    List<Integer> callsWhenHeard = new ArrayList<>();
    shared.ask("a").thenRun(() -> callsWhenHeard.add(calls.size()));
    shared.ask("b");
    answer(0);
    assertThat(callsWhenHeard).containsExactly(2);
  }

  @Test
  void a_call_takes_no_more_items_than_it_may_and_nobody_is_overtaken() {
    SharedCalls<String, String> shared = shared(new Limits(1, 4, 100));
    List.of("a", "bb", "ccc", "d", "eeeeeeee", "f").forEach(shared::ask);
    for (int i = 0; i < 4; i++) {
      answer(i);
    }
    assertThat(calls)
        .containsExactly(
            List.of("a"), List.of("bb"), List.of("ccc", "d"), List.of("eeeeeeee"), List.of("f"));
  }

  @Test
  void more_than_may_wait_is_refused_and_never_sent() {
    SharedCalls<String, String> shared = shared(new Limits(1, 10, 3));
    shared.ask("under way");
    shared.ask("aaa");
    assertThatThrownBy(() -> shared.ask("b")).isInstanceOf(TooManyWaitingException.class);
    answer(0);
    shared.ask("c");
    answer(1);
    assertThat(calls).containsExactly(List.of("under way"), List.of("aaa"), List.of("c"));
  }

  @Test
  void a_question_larger_than_may_wait_is_taken_when_nobody_waits() {
    SharedCalls<String, String> shared = shared(new Limits(1, 10, 3));
    shared.ask("under way");
    shared.ask("aaaaaa");
    answer(0);
    assertThat(calls).containsExactly(List.of("under way"), List.of("aaaaaa"));
  }

  @Test
  void a_call_that_fails_fails_for_all_who_share_it_and_the_next_goes_on() {
    SharedCalls<String, String> shared = shared(new Limits(1, 2, 10));
    CompletionStage<String> a = shared.ask("a");
    CompletionStage<String> b = shared.ask("b");
    CompletionStage<String> c = shared.ask("c");
    CompletionStage<String> d = shared.ask("d");
    answer(0);
    answers.get(1).completeExceptionally(new IllegalStateException("away"));
    answer(2);
    assertThat(answered(a)).isEqualTo("re a");
    assertThat(b.toCompletableFuture()).isCompletedExceptionally();
    assertThat(c.toCompletableFuture()).isCompletedExceptionally();
    assertThat(answered(d)).isEqualTo("re d");
  }

  @Test
  void who_has_waited_as_long_as_a_call_may_last_is_refused_and_never_sent() {
    SharedCalls<String, String> shared = shared(new Limits(1, 10, 10));
    shared.ask("under way");
    CompletionStage<String> late = shared.ask("late");
    clock.forward(Duration.ofMillis(600));
    CompletionStage<String> later = shared.ask("later");
    clock.forward(Duration.ofMillis(600));
    answer(0);
    assertThat(calls).containsExactly(List.of("under way"), List.of("later"));
    assertThatThrownBy(() -> late.toCompletableFuture().join())
        .hasCauseInstanceOf(TooManyWaitingException.class);
    clock.forward(Duration.ofSeconds(2));
    answer(1);
    assertThat(answered(later)).isEqualTo("re later");
    shared.ask("idle again");
    assertThat(calls).hasSize(3);
  }

  @Test
  void calls_that_fail_at_once_leave_nobody_waiting() {
    SharedCalls<String, String> shared =
        new SharedCalls<>(
            questions -> {
              throw new IllegalStateException("away");
            },
            String::length,
            new Limits(1, 10, 10),
            clock);
    for (String question : Collections.nCopies(3, "a")) {
      assertThat(shared.ask(question).toCompletableFuture()).isCompletedExceptionally();
    }
  }
}
