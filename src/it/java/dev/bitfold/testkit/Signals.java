package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java cannot send itself. */
public final class Signals {

  private Signals() {}

  /** The process stands still until it may go on. */
  public static void stop(long pid) {
    send("STOP", pid);
  }

  public static void go(long pid) {
    send("CONT", pid);
  }

  private static void send(String signal, long pid) {
    try {
      int code = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + signal + " " + pid + " answered " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
