package dev.bitfold.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A kept-alive HTTP/1.1 connection with one request under way at most. */
final class Connection implements AutoCloseable {

  /** No answer yet. */
  static final int NONE = -1;

  /** The connection ended before the answer. */
  static final int ENDED = 0;

  private static final int MOST_BYTES = 128 * 1024;
  private static final byte[] HEAD_END = ascii("\r\n\r\n");
  private static final byte[] BODY_END = ascii("0\r\n\r\n");
  private static final byte[] LENGTH = ascii("\r\nContent-Length: ");
  private static final byte[] CLOSE = ascii("\r\nConnection: close");

  private final InetSocketAddress address;
  private final Selector selector;
  private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_BYTES);
  private final byte[] answer = new byte[MOST_BYTES];
  private SocketChannel channel;
  private int length;
  private long since;
  private boolean waiting;

  Connection(int port, Selector selector) throws IOException {
    this.address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
    this.selector = selector;
    this.channel = open();
  }

  private SocketChannel open() throws IOException {
    SocketChannel opened = SocketChannel.open(address);
    opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
    opened.configureBlocking(false);
    opened.register(selector, SelectionKey.OP_READ, this);
    return opened;
  }

  /**
   * Sends a request.
   *
   * @param since nanosecond from which its latency counts
   */
  void send(byte[] request, long since) throws IOException {
    this.since = since;
    waiting = true;
    length = 0;
    ByteBuffer out = ByteBuffer.wrap(request);
    while (out.hasRemaining()) {
      channel.write(out); // fits the socket's buffer, as a rule
    }
  }

  long since() {
    return since;
  }

  /** Whether a request is under way. */
  boolean waiting() {
    return waiting;
  }

  /** Reads what is there: the status of a whole answer, {@link #NONE} or {@link #ENDED}. */
  int receive() throws IOException {
    in.clear();
    int count;
    try {
      count = channel.read(in);
    } catch (IOException reset) {
      count = -1;
    }
    if (count < 0) {
      reopen();
      return ENDED;
    }
    in.flip();
    if (length + count > MOST_BYTES) {
      throw new IOException("an answer has more than " + MOST_BYTES + " bytes");
    }
    in.get(answer, length, count);
    length += count;
    int head = find(HEAD_END, 0, length);
    if (head < 0 || !complete(head)) {
      return NONE;
    }
    waiting = false;
    int status = 100 * digit(9) + 10 * digit(10) + digit(11);
    if (find(CLOSE, 0, head) >= 0) {
      reopen();
    }
    return status;
  }

  private boolean complete(int head) {
    int body = head + HEAD_END.length;
    int announced = find(LENGTH, 0, head);
    if (announced < 0) {
      return length >= body + BODY_END.length
          && find(BODY_END, length - BODY_END.length, length) >= 0;
    }
    int size = 0;
    for (int i = announced + LENGTH.length; answer[i] != '\r'; i++) {
      size = 10 * size + digit(i);
    }
    return length >= body + size;
  }

  private int digit(int at) {
    return answer[at] - '0';
  }

  private int find(byte[] word, int from, int to) {
    for (int i = from; i <= to - word.length; i++) {
      int same = 0;
      while (same < word.length && answer[i + same] == word[same]) {
        same++;
      }
      if (same == word.length) {
        return i;
      }
    }
    return -1;
  }

  /** Forgets the request under way, if any. */
  void reopen() throws IOException {
    waiting = false;
    channel.close();
    channel = open();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
