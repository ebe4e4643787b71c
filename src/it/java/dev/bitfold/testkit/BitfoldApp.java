package dev.bitfold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.Bitfold;
import dev.bitfold.lane.LaneKeys;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.platform.redis.RedisNodes;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.rebuild.Cause;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this JVM, on free ports, with header identity and few lanes. */
public final class BitfoldApp implements AutoCloseable {

  public static final int LANES = 8;

  private final ConfigurableApplicationContext context;

  private BitfoldApp(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Starts the service. Later properties win over earlier ones. */
  @SafeVarargs
  public static BitfoldApp start(Map<String, Object>... properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("server.port", 0);
    all.put("server.address", "127.0.0.1");
    all.put("management.server.port", 0);
    all.put("bitfold.lanes", LANES);
    all.put("bitfold.identity", "header");
    all.put("bitfold.relay.go-back", "1s");
    all.put("bitfold.reconcile.every", "200ms");
    all.put("spring.kafka.consumer.properties.session.timeout.ms", 6000);
    all.put("spring.kafka.consumer.properties.heartbeat.interval.ms", 500);
    all.put("logging.structured.format.console", "");
    all.put("spring.main.banner-mode", "off");
    for (Map<String, Object> some : properties) {
      all.putAll(some);
    }
    String[] args =
        all.entrySet().stream()
            .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new);
    return new BitfoldApp(
        new SpringApplicationBuilder(Bitfold.class).registerShutdownHook(false).run(args));
  }

  public Http http() {
    return new Http(port("local.server.port"));
  }

  public Http management() {
    return new Http(port("local.management.port"));
  }

  private int port(String property) {
    return context.getEnvironment().getRequiredProperty(property, Integer.class);
  }

  public RedisNodes redis() {
    return context.getBean(RedisNodes.class);
  }

  public Lanes lanes() {
    return context.getBean(Lanes.class);
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** What a counter meter says; tags as name and value by turns. */
  public double meter(String name, String... tags) {
    return context.getBean(MeterRegistry.class).get(name).tags(tags).counter().count();
  }

  /** Waits until every line of the audit is in the table, so that no later test meets it. */
  public void awaitAudited() {
    Await.until("all audit lines moved", () -> lanes().all().stream().allMatch(this::moved));
  }

  /**
   * Fails if this instance has moved a line of the audit that nobody has caused: counters are
   * deleted and made unreadable in tests, but never wrong.
   */
  public void nothingWasWrong() {
    for (Cause cause : List.of(Cause.DRIFT, Cause.ASTRAY, Cause.STRANDED)) {
      assertThat(meter("bitfold.reconcile.audits", "cause", cause.word()))
          .as("corrections of counters: %s", cause)
          .isZero();
    }
  }

  private boolean moved(Lane lane) {
    return RedisReplies.await(redis().commands().xlen(LaneKeys.audit(lane))) == 0;
  }

  /** Whether everything accepted is in the counters. */
  public boolean settled() {
    return new Backlog(redis(), lanes()).settled();
  }

  /** Waits until every lane is open and everything accepted is in the counters. */
  public void awaitSettled() {
    Await.until("all lanes settled", this::settled);
  }

  public void awaitOpen() {
    Await.until(
        "all lanes open",
        () -> {
          try {
            return management().get("/actuator/health").text().contains("\"open\":" + LANES);
          } catch (RuntimeException notYet) {
            return false;
          }
        });
  }

  @Override
  public void close() {
    context.close();
  }
}
