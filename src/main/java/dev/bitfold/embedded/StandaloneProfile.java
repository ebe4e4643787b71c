package dev.bitfold.embedded;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Makes {@code embedded} the default profile of the standalone jar, so that {@code java -jar} needs
 * no argument; any active profile takes its place.
 *
 * <p>The standalone jar is the only place with both the embedded libraries (the lean jar has none)
 * and Spring Boot's jar launcher (tests, IDEs and {@code spring-boot:run} have none).
 */
class StandaloneProfile implements EnvironmentPostProcessor, Ordered {

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (KafkaServer.runsFromFatJar() && EmbeddedServers.available()) {
      environment.setDefaultProfiles(EmbeddedConfiguration.PROFILE);
    }
  }

  /** Before configuration files are chosen by profile. */
  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER - 1;
  }
}
