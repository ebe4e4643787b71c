package dev.bitfold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * The main class of the Kafka process: formats its storage once, then is the broker until it gets a
 * signal or its standard input closes, which it does when the parent is gone in whatever way.
 */
final class KafkaChild {

  private static final long MAX_SHUTDOWN_SECONDS = 20;

  private KafkaChild() {}

  /** Arguments: configuration file, cluster id, pid file. */
  public static void main(String[] args) throws IOException {
    String config = args[0];
    Files.writeString(Path.of(args[2]), Long.toString(ProcessHandle.current().pid()));
    daemon("parent-watch", KafkaChild::exitWithParent);
    String[] format = {"format", "--ignore-formatted", "--cluster-id", args[1], "--config", config};
    int code = StorageTool.execute(format, System.out);
    if (code != 0) {
      System.exit(code);
    }
    Kafka.main(new String[] {config});
  }

  private static void exitWithParent() {
    try {
      while (System.in.read() >= 0) {
        // the parent never writes
      }
    } catch (IOException e) {
      System.out.println("Standard input failed: " + e);
    }
    daemon("last-resort", KafkaChild::haltLater);
    System.exit(0);
  }

  private static void haltLater() {
    try {
      TimeUnit.SECONDS.sleep(MAX_SHUTDOWN_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
