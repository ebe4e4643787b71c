package dev.bitfold.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence what is missing for tokens. */
class NoIssuerFailureAnalyzer extends AbstractFailureAnalyzer<NoIssuerException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, NoIssuerException cause) {
    return new FailureAnalysis(
        cause.getMessage(),
        "Give spring.security.oauth2.resourceserver.jwt.issuer-uri (or jwk-set-uri, or"
            + " public-key-location), or set bitfold.identity=header behind a trusted gateway.",
        cause);
  }
}
