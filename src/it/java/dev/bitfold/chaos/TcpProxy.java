package dev.bitfold.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A TCP connection that can be made bad: slow, half-open or reset. What is held back while it is
 * half-open arrives late when it is well again, or never if the connection is reset first.
 */
final class TcpProxy implements AutoCloseable {

  private static final int CHUNK = 16 * 1024;
  private static final int CONNECT_MILLIS = 1_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** What happens to the bytes on their way. */
  enum Mode {
    PASS,
    /** Each piece waits before it goes on. */
    SLOW,
    /** Nothing arrives on either side, and nobody is told. */
    HALF_OPEN,
    /** What callers send arrives; the answers do not. */
    NO_ANSWERS
  }

  private static final Duration SLOWNESS = Duration.ofMillis(30);

  private final ServerSocket door;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new CustomizableThreadFactory("proxy-"));
  private volatile int target;
  private volatile Mode mode = Mode.PASS;
  private volatile boolean closed;

  private TcpProxy(ServerSocket door, int target) {
    this.door = door;
    this.target = target;
  }

  /** A proxy between two ports of the loopback address. */
  static TcpProxy open(int port, int target) {
    try {
      TcpProxy proxy = new TcpProxy(new ServerSocket(port, 50, loopback()), target);
      proxy.threads.execute(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return door.getLocalPort();
  }

  void mode(Mode wanted) {
    mode = wanted;
  }

  /** New connections go there; those of now are reset. */
  void target(int port) {
    target = port;
    reset();
  }

  /** Ends all connections of now without a farewell: both sides see a reset. */
  void reset() {
    sockets.forEach(TcpProxy::reset);
  }

  private void accept() {
    while (!closed) {
      try {
        Socket caller = door.accept();
        threads.execute(() -> connect(caller));
      } catch (IOException | RejectedExecutionException failed) {
        if (!closed) {
          throw new IllegalStateException(failed);
        }
      }
    }
  }

  private void connect(Socket caller) {
    Socket server = new Socket();
    sockets.add(caller);
    sockets.add(server);
    try {
      server.connect(new InetSocketAddress(loopback(), target), CONNECT_MILLIS);
      caller.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      threads.execute(() -> copy(server, caller, true));
      copy(caller, server, false);
    } catch (IOException | RejectedExecutionException refused) {
      end(caller, server);
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    byte[] chunk = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        hold(answers, from);
        out.write(chunk, 0, read);
      }
    } catch (IOException ended) {
      // one side is gone, so the other one goes too
    }
    end(from, to);
  }

  private void hold(boolean answers, Socket from) {
    if (mode == Mode.SLOW) {
      LockSupport.parkNanos(SLOWNESS.toNanos());
    }
    while (!from.isClosed() && (mode == Mode.HALF_OPEN || answers && mode == Mode.NO_ANSWERS)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void end(Socket one, Socket other) {
    reset(one);
    reset(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException gone) {
      // it was gone before
    }
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public void close() {
    closed = true;
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      reset();
      threads.shutdownNow();
    }
  }
}
