package dev.bitfold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address nobody listens on at the moment. They lie below the range that the
 * system gives to outgoing connections: a client that keeps calling a stopped server could
 * otherwise be given the server's own port and keep it from coming back.
 */
public final class FreePorts {

  private static final int LOWEST = 10_000;
  private static final int BEYOND = 32_000;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  public static int one() {
    return many(1).get(0);
  }

  /** Different ports, none of which was given before. */
  public static List<Integer> many(int count) {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
      if (GIVEN.add(port) && free(port)) {
        ports.add(port);
      }
    }
    return ports;
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
