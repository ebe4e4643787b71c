package dev.bitfold.flush;

import dev.bitfold.flush.FlushScript.Flushed;

/**
 * What a round did for one lane.
 *
 * @param astray counters that would have left their range and were rebuilt: each is a found bug
 * @param left entities left for the next round
 */
record FlushResult(long flushed, long rebuilt, long astray, long left) {

  static final FlushResult NOTHING = new FlushResult(0, 0, 0, 0);

  FlushResult plus(Flushed call) {
    return new FlushResult(
        flushed + call.flushed(),
        rebuilt + call.rebuilt(),
        astray + call.astray().size(),
        call.left());
  }
}
