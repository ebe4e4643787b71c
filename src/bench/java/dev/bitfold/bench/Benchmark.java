package dev.bitfold.bench;

import org.junit.jupiter.api.Test;

/**
 * Runs the benchmark: {@code mvn verify -Pbench}. It asserts nothing about speed; the report tells
 * which targets were hit.
 */
class Benchmark {

  @Test
  void measure() {
    new BenchRun(BenchForm.asked()).run();
  }
}
