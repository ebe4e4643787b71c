package dev.bitfold.metric;

/** The thing counted, written {@code post:42}. A user is an entity too. */
public record Entity(String type, String id) {

  /** Reads the written form. */
  public static Entity parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException("not an entity: " + text);
    }
    return new Entity(text.substring(0, colon), text.substring(colon + 1));
  }

  @Override
  public String toString() {
    return type + ":" + id;
  }
}
