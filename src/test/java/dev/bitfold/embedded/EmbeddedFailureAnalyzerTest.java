package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

class EmbeddedFailureAnalyzerTest {

  @Test
  void shows_the_sentence_and_the_action_of_a_wrapped_failure() {
    var failure = new EmbeddedStartException("Port 1 is in use.", "Choose another port.");
    FailureAnalysis analysis =
        new EmbeddedFailureAnalyzer().analyze(new IllegalStateException("bean", failure));
    assertThat(analysis.getDescription()).isEqualTo("Port 1 is in use.");
    assertThat(analysis.getAction()).isEqualTo("Choose another port.");
  }
}
