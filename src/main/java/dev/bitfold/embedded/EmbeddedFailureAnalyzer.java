package dev.bitfold.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a failed embedded start as a description and an action instead of a stack trace. */
class EmbeddedFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedStartException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
