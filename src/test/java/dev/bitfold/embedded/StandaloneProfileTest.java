package dev.bitfold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.mock.env.MockEnvironment;

class StandaloneProfileTest {

  @Test
  void outside_the_standalone_jar_the_default_profile_stays() {
    MockEnvironment environment = new MockEnvironment();
    new StandaloneProfile().postProcessEnvironment(environment, new SpringApplication());
    assertThat(environment.getDefaultProfiles()).containsExactly("default");
  }
}
