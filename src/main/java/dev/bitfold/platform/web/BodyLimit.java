package dev.bitfold.platform.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies over the limit, whether they announce their length or not. */
class BodyLimit extends OncePerRequestFilter {

  private final long limit;
  private final ProblemWriter problems;

  BodyLimit(long limit, ProblemWriter problems) {
    this.limit = limit;
    this.problems = problems;
  }

  /** The body went on beyond the limit. */
  static class BodyTooLargeException extends IOException {
    BodyTooLargeException(long limit) {
      super("the body is larger than " + limit + " bytes");
    }
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getContentLengthLong() > limit) {
      problems.write(
          response, ProblemCode.BODY_TOO_LARGE, new BodyTooLargeException(limit).getMessage());
      return;
    }
    chain.doFilter(new Limited(request, limit), response);
  }

  private static final class Limited extends HttpServletRequestWrapper {
    private final long limit;

    Limited(HttpServletRequest request, long limit) {
      super(request);
      this.limit = limit;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), limit);
    }
  }

  private static final class LimitedStream extends ServletInputStream {
    private final ServletInputStream in;
    private final long limit;
    private long read;

    LimitedStream(ServletInputStream in, long limit) {
      this.in = in;
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = in.read(buffer, offset, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) throws IOException {
      read += bytes;
      if (read > limit) {
        throw new BodyTooLargeException(limit);
      }
    }

    @Override
    public boolean isFinished() {
      return in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }
  }
}
