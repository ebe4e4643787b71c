package dev.bitfold.platform.time;

/** The order in which parts of the service start, and stop in reverse. */
public final class Phases {

  /**
   * Relay and fold: before the web server, so that calls which wait for them at the stop still get
   * their answer.
   */
  public static final int WORK = Integer.MAX_VALUE - 10_000;

  private Phases() {}
}
