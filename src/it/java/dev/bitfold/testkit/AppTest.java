package dev.bitfold.testkit;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Tests of the running service on the shared stores. After every test everything accepted must get
 * into the counters, the invariant must hold in every lane, and reconcile must have found nothing.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class AppTest {

  protected BitfoldApp app;
  protected Http http;

  /** Settings of the service besides the addresses. */
  protected Map<String, Object> settings() {
    return Map.of();
  }

  /** Addresses of the stores. */
  protected Map<String, Object> stores() {
    return Stores.shared();
  }

  @BeforeAll
  void startService() {
    app = BitfoldApp.start(stores(), settings());
    http = app.http();
    app.awaitOpen();
  }

  @AfterAll
  void stopService() {
    app.close();
  }

  /** Whether tests make counters wrong on purpose. */
  protected boolean makesCountersWrong() {
    return false;
  }

  @AfterEach
  void everything_is_exact() {
    app.awaitSettled();
    Invariant.holds(app.redis(), app.lanes().all());
    app.awaitAudited();
    if (!makesCountersWrong()) {
      app.nothingWasWrong();
    }
  }
}
