package dev.bitfold.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.BitfoldApp;
import dev.bitfold.testkit.FreshDirectory;
import dev.bitfold.testkit.Http.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With bearer tokens, the default: the user is the subject, and a header says nothing. */
class IdentityIT extends AppTest {

  private static final String BODY = "{\"entityType\":\"post\",\"entityId\":\"identity\"}";
  private static final KeyPair KEYS = keys();

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  protected Map<String, Object> settings() {
    try {
      Path key = FreshDirectory.named("jwt").resolve("key.pub");
      Files.writeString(
          key,
          "-----BEGIN PUBLIC KEY-----\n"
              + Base64.getMimeEncoder().encodeToString(KEYS.getPublic().getEncoded())
              + "\n-----END PUBLIC KEY-----\n");
      return Map.of(
          "bitfold.identity",
          "jwt",
          "spring.security.oauth2.resourceserver.jwt.public-key-location",
          "file:" + key);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String token(String subject, String scope, Instant expires) throws Exception {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .subject(subject)
            .claim("scope", scope)
            .expirationTime(Date.from(expires))
            .build();
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
    token.sign(new RSASSASigner(KEYS.getPrivate()));
    return "Bearer " + token.serialize();
  }

  private Answer like(String... headers) {
    return http.post("/api/v1/action/like", BODY, headers);
  }

  @Test
  void the_user_is_the_subject_of_the_token() throws Exception {
    String token = token("77", "", Instant.now().plusSeconds(600));
    assertThat(like("Authorization", token, "X-User-Id", "78").text()).contains("\"liked\":true");
    String path = "/api/v1/status/post/identity?uid=";
    assertThat(http.get(path + 77, "Authorization", token).text()).contains("\"liked\":true");
    assertThat(http.get(path + 78, "Authorization", token).text()).contains("\"liked\":false");
  }

  @Test
  void without_a_good_token_nothing_is_done() throws Exception {
    for (String[] headers :
        new String[][] {
          {},
          {"X-User-Id", "9"},
          {"Authorization", "Bearer nonsense"},
          {"Authorization", token("77", "", Instant.now().minusSeconds(600))}
        }) {
      Answer answer = like(headers);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("unauthenticated");
      assertThat(answer.response().headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    }
  }

  @Test
  void a_start_without_an_issuer_of_tokens_is_refused() {
    assertThatThrownBy(() -> BitfoldApp.start(stores(), Map.of("bitfold.identity", "jwt")))
        .rootCause()
        .isInstanceOf(NoIssuerException.class);
  }

  @Test
  void a_subject_that_is_no_user_id_is_refused() throws Exception {
    Answer answer = like("Authorization", token("alice", "", Instant.now().plusSeconds(600)));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid_user_id");
  }

  @Test
  void the_audit_needs_the_admin_scope() throws Exception {
    Instant later = Instant.now().plusSeconds(600);
    String path = "/api/v1/admin/audit";
    assertThat(http.get(path).code()).isEqualTo("unauthenticated");
    Answer user = http.get(path, "Authorization", token("77", "", later));
    assertThat(user.status()).isEqualTo(403);
    assertThat(user.code()).isEqualTo("forbidden");
    assertThat(http.get(path, "Authorization", token("77", "admin", later)).status())
        .isEqualTo(200);
  }

  @Test
  void rebuilds_need_the_admin_scope() throws Exception {
    Instant later = Instant.now().plusSeconds(600);
    String path = "/api/v1/admin/rebuild/post/identity";
    Answer user = http.post(path, "", "Authorization", token("77", "", later));
    assertThat(user.status()).isEqualTo(403);
    assertThat(user.code()).isEqualTo("forbidden");
    assertThat(http.post(path, "", "Authorization", token("77", "admin", later)).status())
        .isEqualTo(200);
  }
}
