package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the nemesis lays out. */
class NemesisTest {

  @Test
  void the_short_form_has_every_kind_and_a_round_beside_the_pipeline() {
    for (long seed = 0; seed < 100; seed++) {
      List<List<FaultKind>> rounds = new Nemesis(seed, ChaosForm.SHORT).rounds();
      assertThat(rounds.stream().flatMap(Collection::stream))
          .containsAll(List.of(FaultKind.values()));
      assertThat(rounds)
          .as("seed %d", seed)
          .anySatisfy(round -> assertThat(round).noneMatch(FaultKind::stallsCounters));
    }
  }
}
