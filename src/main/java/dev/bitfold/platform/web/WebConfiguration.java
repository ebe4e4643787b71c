package dev.bitfold.platform.web;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

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

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatProblems() {
    return tomcat ->
        tomcat.addContextCustomizers(
            context -> {
              if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(TomcatProblems.class.getName());
              }
            });
  }

  /** A text is a text: a number or a truth value where one is expected is a fault of the caller. */
  @Bean
  JsonMapperBuilderCustomizer strictTexts() {
    return json ->
        json.withCoercionConfig(
            LogicalType.Textual,
            texts -> {
              texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
              texts.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
              texts.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            });
  }
}
