package dev.bitfold.bench;

/** One part of the benchmark. */
interface Section {

  /** How {@code -Dbench.only=} names it. */
  String name();

  void run(Bench bench);
}
