package dev.bitfold.script;

import dev.bitfold.script.LuaSource.Position;
import dev.bitfold.script.LuaSource.Walk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the header of a Lua script promises, compared with its code, with the Java class that calls
 * it and with the index.
 *
 * @param lua text of every file below {@code lua/}, by path
 * @param java text of every class below {@code src/main/java}, by simple name
 * @param readme text of {@code lua/README.md}
 */
record LuaContract(Map<String, String> lua, Map<String, String> java, String readme) {

  private static final List<String> SECTIONS =
      List.of("PURPOSE", "KEYS", "ARGV", "RETURNS", "COST");
  private static final Set<String> FLAGS = Set.of("no-writes", "allow-oom");
  private static final List<String> NUMBERS =
      List.of("none", "one", "two", "three", "four", "five", "six", "seven", "eight");

  /** Scripts that write nothing but the lane hash, and so are whole in any case. */
  private static final Set<String> ONE_KEY = Set.of("recover/claim", "recover/open");

  private static final Set<String> READS =
      Set.of(
          "BITCOUNT",
          "GET",
          "EXISTS",
          "GETBIT",
          "HGET",
          "HGETALL",
          "HKEYS",
          "HLEN",
          "HMGET",
          "SCARD",
          "SISMEMBER",
          "SMEMBERS",
          "SRANDMEMBER",
          "TIME",
          "XLEN",
          "XRANGE",
          "ZRANGE",
          "ZRANGEBYSCORE",
          "ZREVRANGEBYSCORE",
          "ZSCORE");
  private static final Set<String> WRITES =
      Set.of(
          "DEL",
          "HDEL",
          "HINCRBY",
          "HSET",
          "HSETNX",
          "PEXPIRE",
          "RENAME",
          "SADD",
          "SET",
          "SETBIT",
          "SREM",
          "SUNIONSTORE",
          "XADD",
          "XTRIM",
          "ZADD",
          "ZREM",
          "ZREMRANGEBYSCORE");

  static LuaContract of(Path project) {
    Map<String, String> java = new HashMap<>();
    files(project.resolve("src/main/java"), ".java")
        .forEach((path, text) -> java.put(path.replaceAll("^.*/|\\.java$", ""), text));
    Path readme = project.resolve("lua/README.md");
    return new LuaContract(files(project.resolve("lua"), ".lua"), java, read(readme));
  }

  private static Map<String, String> files(Path folder, String ending) {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths
          .filter(path -> path.toString().endsWith(ending))
          .collect(
              Collectors.toMap(
                  path -> folder.relativize(path).toString().replace('\\', '/'),
                  LuaContract::read,
                  (one, other) -> one,
                  TreeMap::new));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  List<LuaSource> scripts() {
    return lua.keySet().stream()
        .filter(Predicate.not(LuaContract::isInclude))
        .map(path -> new LuaSource(path.replaceAll("\\.lua$", ""), lua))
        .toList();
  }

  private List<String> includes() {
    return lua.keySet().stream()
        .filter(LuaContract::isInclude)
        .map(path -> path.replaceAll("\\.inc\\.lua$", ""))
        .toList();
  }

  private static boolean isInclude(String path) {
    return path.endsWith(".inc.lua");
  }

  /** Headers that are not whole or not in order. */
  List<String> headers() {
    List<String> found = new ArrayList<>();
    for (LuaSource script : scripts()) {
      List<String> sections = List.copyOf(script.sections().keySet());
      check(found, script.hasShebang(), script, "does not start with #!lua");
      check(found, FLAGS.containsAll(script.flags()), script, "has flags " + script.flags());
      check(found, sections.equals(SECTIONS), script, "has the sections " + sections);
    }
    for (String include : includes()) {
      String text = lua.get(include + ".inc.lua");
      List<String> sections = List.copyOf(LuaSource.sections(text).keySet());
      check(found, sections.equals(List.of("PURPOSE")), include, "has sections " + sections);
      check(found, !text.contains("-- include"), include, "includes another file");
      check(found, !usersOf(include).isEmpty(), include, "is included nowhere");
    }
    for (LuaSource script : scripts()) {
      for (String include : script.includes()) {
        check(found, includes().contains(include), script, "includes unknown " + include);
      }
    }
    return found;
  }

  /** Positions of KEYS and ARGV that header and code do not agree on. */
  List<String> positions() {
    List<String> found = new ArrayList<>();
    for (LuaSource script : scripts()) {
      for (String table : List.of("KEYS", "ARGV")) {
        List<Position> documented = script.positions(table);
        List<Integer> numbers = documented.stream().map(Position::number).toList();
        List<Integer> counted = IntStream.rangeClosed(1, documented.size()).boxed().toList();
        Set<Integer> fixed =
            documented.stream()
                .filter(position -> !position.variadic())
                .map(Position::number)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> used = script.usedPositions(table);
        check(found, numbers.equals(counted), script, table + " are numbered " + numbers);
        check(found, used.equals(fixed), script, table + " used " + used + ", told " + fixed);
      }
      variadic(found, script);
    }
    return found;
  }

  private static void variadic(List<String> found, LuaSource script) {
    List<Position> told = script.positions("ARGV").stream().filter(Position::variadic).toList();
    Set<Walk> walks = script.walks();
    if (told.isEmpty() || walks.isEmpty()) {
      check(found, told.isEmpty() && walks.isEmpty(), script, "walks " + walks + ", told " + told);
      return;
    }
    Position last = told.get(told.size() - 1);
    int stride = 1;
    if (last.meaning().contains(" each: ")) {
      String word = last.meaning().replaceAll("^.* (\\w+) each: .*$", "$1");
      stride = last.meaning().replaceAll("^.* each: ", "").split(", ").length;
      check(found, NUMBERS.indexOf(word) == stride, script, word + " are not " + stride);
    }
    Set<Walk> expected = Set.of(new Walk(last.number(), stride));
    check(found, told.size() == 1 && walks.equals(expected), script, walks + ", told " + expected);
    check(found, script.reach() == stride, script, "uses " + script.reach() + " of " + stride);
    for (int taken : script.takenOffLength()) {
      check(found, taken == last.number() - 1, script, taken + " arguments are taken as fixed");
    }
  }

  /** Status words that are told and never answered, or answered and not told. */
  List<String> statuses() {
    List<String> found = new ArrayList<>();
    for (LuaSource script : scripts()) {
      Set<String> returned = script.returnedStatuses();
      Set<String> told = script.documentedStatuses();
      check(found, returned.equals(told), script, "answers " + returned + ", told " + told);
    }
    return found;
  }

  /** Scripts without their one Java class, and classes that do not know all answers. */
  List<String> callers() {
    List<String> found = new ArrayList<>();
    for (LuaSource script : scripts()) {
      List<String> callers = callersOf(script.name());
      if (callers.size() != 1) {
        found.add(script.name() + " is loaded by " + callers);
        continue;
      }
      String caller = java.get(callers.get(0));
      Set<String> known =
          Pattern.compile("\"([A-Z]+)\"")
              .matcher(caller)
              .results()
              .map(word -> word.group(1))
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> told = script.documentedStatuses();
      Set<String> rest = minus(told, known);
      check(found, callers.get(0).endsWith("Script"), script, "is called by " + callers);
      check(
          found,
          caller.contains("/** The caller of {@code " + script.name() + ".lua}. */"),
          script,
          "is not named in the comment of its caller");
      check(found, minus(known, told).isEmpty(), script, "never answers " + minus(known, told));
      check(found, rest.size() <= 1, script, "its caller does not tell apart " + rest);
    }
    Pattern load = Pattern.compile("LuaScript\\.load\\(\"([^\"]+)\"\\)");
    java.values()
        .forEach(
            text ->
                load.matcher(text)
                    .results()
                    .map(call -> call.group(1))
                    .filter(name -> !lua.containsKey(name + ".lua"))
                    .forEach(name -> found.add(name + " is loaded and is no script")));
    return found;
  }

  /** Writing commands in scripts that say they write nothing, and the other way round. */
  List<String> commands() {
    List<String> found = new ArrayList<>();
    for (LuaSource script : scripts()) {
      Set<String> commands = script.reachedCommands();
      Set<String> writes = minus(commands, READS);
      Set<String> unknown = minus(writes, WRITES);
      check(found, unknown.isEmpty(), script, "calls unlisted " + unknown);
      boolean readsOnly = script.flags().contains("no-writes");
      check(found, !readsOnly || writes.isEmpty(), script, "is no-writes and calls " + writes);
      check(found, readsOnly || !writes.isEmpty(), script, "writes nothing without saying so");
      boolean guarded = script.reachedFunctions().contains("stay_whole");
      boolean lone = ONE_KEY.contains(script.name());
      check(found, readsOnly || guarded || lone, script, "writes and does not stay_whole");
    }
    return found;
  }

  /** Rows that the index lacks, or has and should not have. */
  List<String> index() {
    Set<String> expected = new TreeSet<>();
    for (LuaSource script : scripts()) {
      expected.add(
          row(
              link(script.name(), ".lua"),
              lines(script.positions("KEYS")),
              lines(script.positions("ARGV")),
              lines(script.returns()),
              script.section("COST"),
              code(callersOf(script.name()))));
    }
    for (String include : includes()) {
      List<String> purpose = LuaSource.sections(lua.get(include + ".inc.lua")).get("PURPOSE");
      expected.add(
          row(
              link(include, ".inc.lua"),
              purpose == null ? "" : String.join(" ", purpose),
              code(usersOf(include))));
    }
    Set<String> rows =
        readme.lines().filter(line -> line.startsWith("| [")).collect(Collectors.toSet());
    List<String> found = new ArrayList<>();
    minus(expected, rows).forEach(row -> found.add("README lacks " + row));
    minus(rows, expected).forEach(row -> found.add("README has " + row));
    return found;
  }

  /** Flags, literals and keys that the index explains differently from what the scripts use. */
  List<String> explanations() {
    List<String> found = new ArrayList<>();
    for (String flag : Stream.concat(FLAGS.stream(), Stream.of("none")).sorted().toList()) {
      List<String> users =
          scripts().stream()
              .filter(
                  script ->
                      flag.equals("none")
                          ? script.flags().isEmpty()
                          : script.flags().contains(flag))
              .map(LuaSource::name)
              .toList();
      String start = "| `" + flag + "` | " + code(users) + " | ";
      boolean told = readme.lines().anyMatch(line -> line.startsWith(start));
      check(found, told, "README", "lacks the row " + start);
    }
    compare(found, "literals", inLua("(@[A-Z]+@)"), inReadme("`(@[A-Z]+@)` \\|"));
    compare(
        found, "keys", inLua("'([a-z]+):' \\.\\. TAG"), inReadme("`([a-z]+):\\{17\\}[^`]*` \\|"));
    return found;
  }

  private static void compare(List<String> found, String what, Set<String> used, Set<String> told) {
    check(found, used.equals(told), "README", what + " used " + used + ", told " + told);
  }

  private Set<String> inLua(String pattern) {
    Set<String> words = new TreeSet<>();
    lua.values().forEach(text -> words.addAll(first(pattern, text)));
    return words;
  }

  private Set<String> inReadme(String pattern) {
    return first("(?m)^\\| " + pattern, readme);
  }

  private static Set<String> first(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(word -> word.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> callersOf(String script) {
    return java.entrySet().stream()
        .filter(type -> type.getValue().contains("LuaScript.load(\"" + script + "\")"))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private List<String> usersOf(String include) {
    return scripts().stream()
        .filter(script -> script.includes().contains(include))
        .map(LuaSource::name)
        .toList();
  }

  private static String row(String... cells) {
    return Stream.of(cells)
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String link(String name, String ending) {
    return "[`" + name + "`](" + name + ending + ")";
  }

  private static String lines(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining("<br>"));
  }

  private static String code(Collection<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }

  private static Set<String> minus(Set<String> all, Set<String> without) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(without);
    return rest;
  }

  private static void check(List<String> found, boolean holds, LuaSource script, String what) {
    check(found, holds, script.name(), what);
  }

  private static void check(List<String> found, boolean holds, String where, String what) {
    if (!holds) {
      found.add(where + ": " + what);
    }
  }
}
