package dev.bitfold.security;

import dev.bitfold.metric.InvalidInput;
import dev.bitfold.metric.Vocabulary;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
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
    String name = identity == Identity.HEADER ? header() : subject();
    if (name == null) {
      throw new NoUserException(identity);
    }
    return vocabulary.userId(identity == Identity.HEADER ? HEADER : "sub", name);
  }

  /** A second header could be the caller's own, before or behind that of the gateway. */
  private @Nullable String header() {
    List<String> values = Collections.list(request.getHeaders(HEADER));
    if (values.size() > 1) {
      throw new InvalidInput(InvalidInput.Reason.INVALID_USER_ID, HEADER, "must be there once");
    }
    return values.isEmpty() ? null : values.get(0);
  }

  private static @Nullable String subject() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    return authentication instanceof JwtAuthenticationToken token
        ? token.getToken().getSubject()
        : null;
  }
}
