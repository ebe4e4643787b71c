package dev.bitfold.platform.web;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Filters of the HTTP door, before everything else. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebSettings.class)
class WebConfiguration {

  private static final String API = "/api/*";

  @Bean
  FilterRegistrationBean<CallLimit> callLimit(WebSettings settings, ProblemWriter problems) {
    var filter = new FilterRegistrationBean<>(new CallLimit(settings.maxCalls(), problems));
    filter.addUrlPatterns(API);
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  @Bean
  FilterRegistrationBean<BodyLimit> bodyLimit(WebSettings settings, ProblemWriter problems) {
    var filter =
        new FilterRegistrationBean<>(new BodyLimit(settings.maxBody().toBytes(), problems));
    filter.addUrlPatterns(API);
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return filter;
  }
}
