package dev.bitfold.lane;

/** The configured number of lanes is not the one the data was created with. */
public class WrongLaneCountException extends RuntimeException {

  public WrongLaneCountException(String where, int found, int configured) {
    super(
        "bitfold.lanes is %d, but %s has %d lanes; the number is fixed when the data is created"
            .formatted(configured, where, found));
  }
}
