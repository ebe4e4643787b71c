package dev.bitfold.security;

import dev.bitfold.metric.Vocabulary;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/** The user of the current request. */
public class CurrentUser {

  static final String HEADER = "X-User-Id";

  private final Identity identity;
  private final Vocabulary vocabulary;
  private final HttpServletRequest request;

  CurrentUser(Identity identity, Vocabulary vocabulary, HttpServletRequest request) {
    this.identity = identity;
    this.vocabulary = vocabulary;
    this.request = request;
  }

  /** The user's id, or {@link NoUserException}. */
  public long id() {
    String name = identity == Identity.HEADER ? request.getHeader(HEADER) : subject();
    if (name == null) {
      throw new NoUserException(identity);
    }
    return vocabulary.userId(identity == Identity.HEADER ? HEADER : "sub", name);
  }

  private static @Nullable String subject() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    return authentication instanceof JwtAuthenticationToken token
        ? token.getToken().getSubject()
        : null;
  }
}
