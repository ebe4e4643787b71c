/**
 * The ground all stages stand on: a lane, its keys, its scripts, and which lanes this instance
 * owns.
 *
 * <p>A lane is open in one life of one Redis process. Its open mark holds the {@code run_id} of
 * that process, and every writing script is loaded with the {@code run_id} of its node in its text.
 * So a restart, a failover, a moved slot or a restored copy closes the lane by itself, also for a
 * caller who has not noticed: its call finds no script. {@link dev.bitfold.lane.LaneScripts} keeps
 * that promise; stages only see {@link dev.bitfold.lane.LaneClosedException}.
 *
 * <p>Truth: the lane hash in Redis. {@link dev.bitfold.lane.OwnedLanes} only says who works.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform"})
@NullMarked
package dev.bitfold.lane;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
