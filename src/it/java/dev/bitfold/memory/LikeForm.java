package dev.bitfold.memory;

import dev.bitfold.metric.Entity;
import dev.bitfold.testkit.ManyLikes;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Ways to keep who likes an entity, and how many do. */
enum LikeForm {
  BITFOLD("Bitfold") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      likes.add(new Entity("post", id), users);
      return 0;
    }
  },
  SET("Redis Set") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      Arrays.stream(users).forEach(user -> writes.sadd("like:post:" + id, user));
      return 0;
    }
  },
  BITMAP("plain bitmap") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      for (long user : users) {
        writes.setbit("like:post:" + id + ":" + (user >>> CHUNK_BITS), user & CHUNK_LAST);
      }
      return 0;
    }
  },
  HASH("Redis hash") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      Arrays.stream(users).forEach(user -> writes.hset("like:post:" + id, user));
      return 0;
    }
  },
  KEYS("Set and a counter key") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      writes.set("like:post:" + id + ":count", users.length);
      return SET.add(likes, writes, id, users);
    }
  },
  ROARING("RoaringBitmap") {
    @Override
    long add(ManyLikes likes, Writes writes, String id, long[] users) {
      if (LongStream.of(users).allMatch(user -> user <= Integer.MAX_VALUE)) {
        RoaringBitmap bitmap = new RoaringBitmap();
        LongStream.of(users).forEach(user -> bitmap.add((int) user));
        bitmap.runOptimize();
        return bitmap.serializedSizeInBytes();
      }
      Roaring64Bitmap bitmap = new Roaring64Bitmap();
      LongStream.of(users).forEach(bitmap::add);
      bitmap.runOptimize();
      return bitmap.serializedSizeInBytes();
    }
  };

  private static final int CHUNK_BITS = 15;
  private static final long CHUNK_LAST = 32_767;

  final String title;

  LikeForm(String title) {
    this.title = title;
  }

  /** Writes the likes of an entity; answers their bytes if they are not in Redis. */
  abstract long add(ManyLikes likes, Writes writes, String id, long[] users);
}
