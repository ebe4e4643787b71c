package dev.bitfold.testkit;

import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves the lane of its rig in a state in which a counter is wrong. A test that
 * breaks something on purpose repairs it through the service's own scripts before it ends.
 */
public final class InvariantExtension implements AfterEachCallback {

  @Override
  public void afterEach(ExtensionContext context) {
    check();
  }

  /** Fails with every violation found in the lane. */
  static void check() {
    Invariant.holds(TestRedis.asItIs(), List.of(LaneRig.LANE));
  }
}
