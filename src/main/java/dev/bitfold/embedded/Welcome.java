package dev.bitfold.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** The first thing somebody reads who has just started the service: its address and three calls. */
class Welcome implements ApplicationListener<ApplicationReadyEvent> {

  private static final Logger log = LoggerFactory.getLogger(Welcome.class);

  private final Environment environment;

  Welcome(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    String port = environment.getProperty("local.server.port");
    if (port != null) {
      log.info(text("http://%s:%s".formatted(EmbeddedServer.HOST, port)));
    }
  }

  static String text(String address) {
    return """
        Bitfold is ready at %1$s. Try:

          curl -X POST %1$s/api/v1/action/like -H 'X-User-Id: 9' -H 'Content-Type: application/json' \\
               -d '{"entityType":"post","entityId":"42"}'
          curl %1$s/api/v1/counter/post/42
          curl '%1$s/api/v1/status/post/42?uid=9'
        """
        .formatted(address);
  }
}
