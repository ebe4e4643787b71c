package dev.bitfold.embedded;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A plain socket to a Redis, enough to ask whether it is ready. It knows inline commands and the
 * replies of one value; a client library would log and reconnect where nobody wants it to.
 */
final class RedisWire implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 2_000;
  private static final int MAX_REPLY_BYTES = 1 << 20;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  RedisWire(int port) throws IOException {
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(EmbeddedServer.HOST, port), TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends one inline command.
   *
   * @return the text of a simple, integer or bulk reply
   * @throws IOException if Redis answers an error, or something else than one value
   */
  String call(String line) throws IOException {
    out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    String head = readLine();
    if (head.isEmpty()) {
      throw new IOException("empty reply to " + line);
    }
    String rest = head.substring(1);
    return switch (head.charAt(0)) {
      case '+', ':' -> rest;
      case '$' -> readBulk(rest);
      case '-' -> throw new IOException(rest);
      default -> throw new IOException("unexpected reply to " + line + ": " + head);
    };
  }

  private String readBulk(String length) throws IOException {
    int bytes;
    try {
      bytes = Integer.parseInt(length);
    } catch (NumberFormatException e) {
      throw new IOException("not a length: " + length, e);
    }
    if (bytes < 0) {
      return "";
    }
    if (bytes > MAX_REPLY_BYTES) {
      throw new IOException("reply of " + bytes + " bytes is too long");
    }
    byte[] bulk = in.readNBytes(bytes + 2);
    if (bulk.length < bytes + 2) {
      throw new EOFException();
    }
    return new String(bulk, 0, bytes, StandardCharsets.UTF_8);
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > MAX_REPLY_BYTES) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
