package dev.bitfold.counter;

/**
 * Where a walk over the pages of a lane stands. A page has all digests that end in the same bits;
 * so with their bits in reverse order, the digests of a page are neighbours, and pages that are
 * split or joined still begin and end at the same places. The walk goes through the digests in that
 * order: what lies before it has been shown, however the pages change under it.
 */
final class PageCursor {

  private static final long END = 1L << Integer.SIZE;

  private long position;

  boolean ended() {
    return position == END;
  }

  /** A digest in the page to look at. */
  int digest() {
    return Integer.reverse((int) position);
  }

  /** The page with the digest has been looked at, when the lane had so many pages. */
  void looked(int pages) {
    int page = CounterPages.pageOf(digest(), pages);
    long width = END >>> CounterPages.bits(page, pages);
    position = (position / width + 1) * width;
  }
}
