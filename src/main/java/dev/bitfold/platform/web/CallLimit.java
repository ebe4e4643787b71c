package dev.bitfold.platform.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers 503 at once when too many calls are under way, so that a slow store piles up nothing. */
class CallLimit extends OncePerRequestFilter {

  private final Semaphore calls;
  private final ProblemWriter problems;

  CallLimit(int limit, ProblemWriter problems) {
    this.calls = new Semaphore(limit);
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!calls.tryAcquire()) {
      problems.write(response, ProblemCode.TOO_BUSY, null);
      return;
    }
    try {
      chain.doFilter(request, response);
    } finally {
      calls.release();
    }
  }
}
