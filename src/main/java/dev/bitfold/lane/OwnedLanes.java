package dev.bitfold.lane;

import dev.bitfold.metric.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The lanes that Kafka's group coordinator has dealt to this instance, and how they stand. It says
 * who works, never who may: two owners at once cost work, not a count.
 */
public class OwnedLanes {

  /** Hears of a lane that is open, with the offset its fold goes on from. */
  @FunctionalInterface
  public interface OpenListener {
    void opened(Lane lane, long offset);
  }

  private final Map<Lane, LaneStatus> owned = new ConcurrentSkipListMap<>();
  private final List<OpenListener> listeners = new CopyOnWriteArrayList<>();

  public void assigned(Collection<Lane> lanes) {
    lanes.forEach(lane -> owned.put(lane, LaneStatus.unknown()));
  }

  public void revoked(Collection<Lane> lanes) {
    lanes.forEach(owned::remove);
  }

  /** A stage found the lane closed. */
  public void closed(Lane lane) {
    owned.computeIfPresent(lane, (owner, status) -> status.in(LaneState.CLOSED));
  }

  public void blocked(Lane lane) {
    owned.computeIfPresent(lane, (owner, status) -> status.in(LaneState.BLOCKED));
  }

  public void opened(Lane lane, long offset) {
    if (owned.computeIfPresent(lane, (owner, status) -> status.in(LaneState.OPEN)) != null) {
      listeners.forEach(listener -> listener.opened(lane, offset));
    }
  }

  public void onOpen(OpenListener listener) {
    listeners.add(listener);
  }

  /** Notes how far the fold is behind the toggles. */
  public void seen(Lane lane, LaneStatus.Progress progress) {
    owned.computeIfPresent(lane, (owner, status) -> status.at(progress));
  }

  public List<Lane> in(LaneState state) {
    return owned.entrySet().stream()
        .filter(entry -> entry.getValue().state() == state)
        .map(Map.Entry::getKey)
        .toList();
  }

  public Optional<LaneStatus> status(Lane lane) {
    return Optional.ofNullable(owned.get(lane));
  }

  public Map<Lane, LaneStatus> all() {
    return Map.copyOf(owned);
  }
}
