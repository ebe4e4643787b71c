package dev.bitfold.bench.load;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Connections that one thread serves. */
final class LoadThread implements AutoCloseable {

  /** How long answers may still come, and late requests be sent, after the time is over. */
  private static final long GRACE_NANOS = 2_000_000_000L;

  private static final long NAP_NANOS = 50_000;
  private static final long MILLI = 1_000_000;

  private final Selector selector = Selector.open();
  private final List<Connection> all = new ArrayList<>();
  private final Deque<Connection> idle = new ArrayDeque<>();

  LoadThread(int port, int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      all.add(new Connection(port, selector));
    }
    idle.addAll(all);
  }

  /** Every connection sends its next request when it has its answer. */
  Load closed(Requests requests, long nanos) throws IOException {
    Load load = Load.none(nanos);
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      while (!idle.isEmpty()) {
        idle.poll().send(requests.next(), System.nanoTime());
      }
      selector.select(1);
      long now = System.nanoTime();
      receive(now < end ? load : Load.none(nanos), now);
    }
    drain(Load.none(nanos), end + GRACE_NANOS);
    return load;
  }

  /** Requests are due at fixed times, whether there are answers to earlier ones or not. */
  Load open(Requests requests, double rate, long nanos) throws IOException {
    long total = (long) (rate * nanos / 1e9);
    double interval = 1e9 / rate;
    Load load = Load.none(nanos);
    long start = System.nanoTime();
    long give = start + nanos + GRACE_NANOS;
    long sent = 0;
    long now = start;
    while (sent < total && now < give) {
      long due = start + (long) (sent * interval);
      if (due <= now && !idle.isEmpty()) {
        idle.poll().send(requests.next(), due);
        sent++;
        continue;
      }
      rest(due - now);
      receive(load, System.nanoTime());
      now = System.nanoTime();
    }
    drain(load, give);
    long ended = System.nanoTime();
    for (long i = sent; i < total; i++) {
      load.note(Connection.ENDED, ended - start - (long) (i * interval));
    }
    return new Load(load.statuses(), Math.max(nanos, ended - start), load.latency());
  }

  /** Waits for answers, not longer than until the next request is due. */
  private void rest(long nanos) throws IOException {
    if (nanos >= 2 * MILLI || nanos <= 0) {
      selector.select(Math.max(1, nanos / MILLI - 1));
      return;
    }
    if (selector.selectNow() == 0) {
      LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
      selector.selectNow();
    }
  }

  private void receive(Load load, long now) throws IOException {
    var ready = selector.selectedKeys().iterator();
    while (ready.hasNext()) {
      Connection connection = (Connection) ready.next().attachment();
      ready.remove();
      boolean waiting = connection.waiting();
      int status = connection.receive();
      if (waiting && status != Connection.NONE) {
        load.note(status, now - connection.since());
        idle.add(connection);
      }
    }
  }

  /** Waits until no request is under way; those that stay without answer get a new connection. */
  private void drain(Load load, long deadline) throws IOException {
    while (idle.size() < all.size() && System.nanoTime() < deadline) {
      selector.select(1);
      receive(load, System.nanoTime());
    }
    for (Connection connection : all) {
      if (connection.waiting()) {
        load.note(Connection.ENDED, System.nanoTime() - connection.since());
        connection.reopen();
        idle.add(connection);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : all) {
      connection.close();
    }
    selector.close();
  }
}
