package dev.bitfold.bench.load;

import java.nio.charset.StandardCharsets;

/** An endless row of HTTP requests, ready to be sent. Several threads may draw from it. */
@FunctionalInterface
public interface Requests {

  byte[] next();

  static byte[] get(String path) {
    return bytes("GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n");
  }

  /** A JSON body sent by a user. */
  static byte[] post(String path, long userId, String body) {
    return bytes(
        "POST "
            + path
            + " HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nX-User-Id: "
            + userId
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.ISO_8859_1);
  }
}
