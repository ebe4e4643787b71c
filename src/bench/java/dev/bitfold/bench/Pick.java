package dev.bitfold.bench;

import java.util.Arrays;

/** Chooses an entity for a random number. */
@FunctionalInterface
interface Pick {

  /** The id for 64 random bits. */
  int of(long random);

  /** Every one of {@code 0} to {@code entities - 1} as often as any other. */
  static Pick uniform(int entities) {
    return random -> (int) Long.remainderUnsigned(random, entities);
  }

  /** Always the same. */
  static Pick one(int entity) {
    return random -> entity;
  }

  /** The n-th one in proportion to {@code 1 / n^exponent}. */
  static Pick zipf(int entities, double exponent) {
    double[] upTo = new double[entities];
    double sum = 0;
    for (int i = 0; i < entities; i++) {
      sum += 1 / Math.pow(i + 1.0, exponent);
      upTo[i] = sum;
    }
    return random -> {
      double share = (random >>> 11) * 0x1.0p-53 * upTo[entities - 1];
      int found = Arrays.binarySearch(upTo, share);
      return Math.min(entities - 1, found < 0 ? -found - 1 : found);
    };
  }
}
