package dev.bitfold.security;

import dev.bitfold.metric.Vocabulary;
import dev.bitfold.platform.web.ProblemCode;
import dev.bitfold.platform.web.ProblemWriter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.LogoutConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;

/** Who may call what. No sessions, no cookies, hence no CSRF tokens. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecuritySettings.class)
class SecurityConfiguration {

  private static final String ADMIN_CALLS = "/api/v1/admin/**";
  private static final String ADMIN_SCOPE = "SCOPE_admin";

  @Bean
  CurrentUser currentUser(
      SecuritySettings settings, Vocabulary vocabulary, HttpServletRequest request) {
    return new CurrentUser(settings.identity(), vocabulary, request);
  }

  /** An observation of every filter for every call costs more than the filters. */
  @Bean
  SecurityObservationSettings notObserved() {
    return SecurityObservationSettings.noObservations();
  }

  @Bean
  SecurityFilterChain callers(
      HttpSecurity http,
      SecuritySettings settings,
      ProblemWriter problems,
      ObjectProvider<JwtDecoder> tokens)
      throws Exception {
    AuthenticationEntryPoint noUser =
        (request, response, why) -> {
          response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
          problems.write(response, ProblemCode.UNAUTHENTICATED, why.getMessage());
        };
    http.csrf(CsrfConfigurer::disable)
        .logout(LogoutConfigurer::disable)
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .exceptionHandling(
            errors ->
                errors
                    .authenticationEntryPoint(noUser)
                    .accessDeniedHandler(
                        (request, response, why) ->
                            problems.write(response, ProblemCode.FORBIDDEN, why.getMessage())));
    if (settings.identity() == Identity.JWT) {
      if (tokens.getIfAvailable() == null) {
        throw new NoIssuerException();
      }
      http.oauth2ResourceServer(
              server -> server.jwt(Customizer.withDefaults()).authenticationEntryPoint(noUser))
          .authorizeHttpRequests(
              calls ->
                  calls
                      .dispatcherTypeMatchers(DispatcherType.ERROR)
                      .permitAll()
                      .requestMatchers("/actuator/**")
                      .permitAll()
                      .requestMatchers(ADMIN_CALLS)
                      .hasAuthority(ADMIN_SCOPE)
                      .anyRequest()
                      .authenticated());
    } else {
      http.authorizeHttpRequests(calls -> calls.anyRequest().permitAll());
    }
    return http.build();
  }
}
