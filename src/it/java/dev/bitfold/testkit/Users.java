package dev.bitfold.testkit;

import java.util.Random;
import java.util.stream.LongStream;

/** Where users come from whose number decides what a like costs. */
public enum Users {
  OF_A_MILLION("1 M", 1_000_000),
  OF_200_MILLION("200 M", 200_000_000),
  OF_63_BITS("63 bits", Long.MAX_VALUE);

  public final String title;
  private final long users;

  Users(String title, long users) {
    this.title = title;
    this.users = users;
  }

  /** So many different users, in no order. */
  public long[] some(int count, Random random) {
    if (count == users) {
      long[] all = LongStream.rangeClosed(1, count).toArray();
      for (int i = count - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        long user = all[i];
        all[i] = all[j];
        all[j] = user;
      }
      return all;
    }
    return LongStream.generate(() -> 1 + random.nextLong(users)).distinct().limit(count).toArray();
  }
}
