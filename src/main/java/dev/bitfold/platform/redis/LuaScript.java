package dev.bitfold.platform.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of one file below {@code lua/}, with its {@code -- include} lines replaced by what they
 * name. Words such as {@code @LIFE@} in it are filled in when it is loaded into a node.
 *
 * @param name path below {@code lua/} without ending, such as {@code fact/toggle}
 */
public record LuaScript(String name, String text) {

  private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include (\\S+)$");
  private static final Pattern LITERAL = Pattern.compile("@[A-Z]+@");

  public static LuaScript load(String name) {
    String body = read(name + ".lua");
    String whole = INCLUDE.matcher(body).replaceAll(LuaScript::included);
    return new LuaScript(name, whole);
  }

  private static String included(MatchResult include) {
    return Matcher.quoteReplacement(read(include.group(1) + ".inc.lua"));
  }

  /** Whether it changes nothing, so that it may run whatever the life of its node. */
  public boolean readsOnly() {
    return text.startsWith("#!lua flags=no-writes");
  }

  /** The text to load, with all literals filled in. */
  public String render(Map<String, String> literals) {
    return LITERAL
        .matcher(text)
        .replaceAll(
            found -> {
              String value = literals.get(found.group().replace("@", ""));
              if (value == null) {
                throw new IllegalStateException(name + " has no value for " + found.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }

  private static String read(String file) {
    try (InputStream in = LuaScript.class.getResourceAsStream("/lua/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException("no such script: lua/" + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
