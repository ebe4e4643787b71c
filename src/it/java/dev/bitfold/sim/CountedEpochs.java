package dev.bitfold.sim;

import dev.bitfold.metric.Lane;
import dev.bitfold.recover.LaneEpochs;

/** The epochs of the simulated lane. A forgetful one remembers no opening. */
final class CountedEpochs implements LaneEpochs {

  private final boolean forgetful;
  private long last;
  private Opened opened = new Opened(0, 0);

  CountedEpochs(boolean forgetful) {
    this.forgetful = forgetful;
  }

  @Override
  public long next(Lane lane, long above) {
    last = Math.max(last, above) + 1;
    return last;
  }

  @Override
  public Opened opened(Lane lane) {
    return forgetful ? new Opened(0, 0) : opened;
  }

  @Override
  public void opening(Lane lane, long epoch, Loss loss) {
    long since = loss == Loss.ACCEPTED ? epoch : 0;
    opened = new Opened(Math.max(opened.epoch(), epoch), Math.max(opened.since(), since));
  }

  /** Whether any opening left something out. */
  boolean everLossy() {
    return opened.since() > 0;
  }
}
