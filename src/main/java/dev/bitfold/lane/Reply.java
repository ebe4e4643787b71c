package dev.bitfold.lane;

import java.util.List;

/** What a script answered: a status word, then values by position from 1. */
public record Reply(List<Object> values) {

  public String status() {
    return text(0);
  }

  public boolean is(String status) {
    return text(0).equals(status);
  }

  public String text(int position) {
    return LaneKeys.text((byte[]) values.get(position));
  }

  /** A number, whether the script sent it as one or as digits. */
  public long number(int position) {
    return values.get(position) instanceof Long number ? number : Long.parseLong(text(position));
  }

  public List<Object> list(int position) {
    return asList(values.get(position));
  }

  @SuppressWarnings("unchecked")
  public static List<Object> asList(Object value) {
    return (List<Object>) value;
  }
}
