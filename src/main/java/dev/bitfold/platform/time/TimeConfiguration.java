package dev.bitfold.platform.time;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Time as a bean, so that tests can set it, and scheduled methods. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class TimeConfiguration {

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }
}
