package dev.bitfold.fact;

/**
 * Where the fact of a user lies in the shards of an entity: 32768 users a shard. Worked out here
 * because Lua's numbers are doubles and user ids are not.
 */
record ShardPlace(long chunk, int bit) {

  private static final int BITS = 15;

  static ShardPlace of(long userId) {
    return new ShardPlace(userId >>> BITS, (int) (userId & ((1 << BITS) - 1)));
  }
}
