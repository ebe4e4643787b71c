package dev.bitfold.platform.time;

import java.time.Clock;
import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Time as a bean, so that tests can set it, and scheduled methods. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class TimeConfiguration {

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  /** Also where calls run on virtual threads: rounds must not overlap, nor wait for each other. */
  @Bean
  ThreadPoolTaskScheduler taskScheduler(ThreadPoolTaskSchedulerBuilder builder) {
    return builder.build();
  }
}
