package dev.bitfold.script;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One Lua script taken apart: its flags, the sections of its header, and its code. */
final class LuaSource {

  private static final Pattern SHEBANG = Pattern.compile("^#!lua(?: flags=([a-z,-]+))?\\n");
  private static final Pattern SECTION = Pattern.compile("-- ([A-Z]+) +(.*)");
  private static final Pattern CONTINUED = Pattern.compile("-- {2,}(.*)");
  private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include (\\S+)$");
  private static final Pattern FUNCTION = Pattern.compile("(?ms)^local function (\\w+)\\(.*?^end$");
  private static final Pattern CALL = Pattern.compile("(\\w+)\\(");
  private static final Pattern COMMAND =
      Pattern.compile("(?:redis\\.p?call|try|on_page)\\('(\\w+)'");
  private static final Pattern STATUS = Pattern.compile("\\{'([A-Z]+)'");

  private final String name;
  private final String text;
  private final String code;

  /**
   * @param name path below {@code lua/} without ending
   * @param files text of every file below {@code lua/}
   */
  LuaSource(String name, Map<String, String> files) {
    this.name = name;
    this.text = files.get(name + ".lua");
    String whole =
        INCLUDE
            .matcher(text)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(files.getOrDefault(found.group(1) + ".inc.lua", "")));
    this.code = whole.replaceAll("--[^\\n]*", "");
  }

  /**
   * An argument in the header.
   *
   * @param variadic whether it stands for all positions from here on
   */
  record Position(int number, boolean variadic, String meaning) {

    @Override
    public String toString() {
      return number + (variadic ? ".. " : " ") + meaning;
    }
  }

  String name() {
    return name;
  }

  boolean hasShebang() {
    return SHEBANG.matcher(text).find();
  }

  Set<String> flags() {
    Matcher shebang = SHEBANG.matcher(text);
    return shebang.find() && shebang.group(1) != null
        ? new TreeSet<>(Arrays.asList(shebang.group(1).split(",")))
        : Set.of();
  }

  List<String> includes() {
    return found(INCLUDE, text).map(include -> include.group(1)).toList();
  }

  /** The sections of the header in their order, each with its lines. */
  Map<String, List<String>> sections() {
    return sections(text);
  }

  static Map<String, List<String>> sections(String text) {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    List<String> lines = List.of();
    for (String line : text.lines().filter(line -> !line.startsWith("#!")).toList()) {
      Matcher section = SECTION.matcher(line);
      Matcher continued = CONTINUED.matcher(line);
      if (section.matches()) {
        lines = new ArrayList<>(List.of(section.group(2)));
        sections.put(section.group(1), lines);
      } else if (continued.matches() && !sections.isEmpty()) {
        lines.add(continued.group(1).strip());
      } else {
        break;
      }
    }
    return sections;
  }

  /** A section as one line. */
  String section(String word) {
    return String.join(" ", sections().getOrDefault(word, List.of()));
  }

  /** What the header says about KEYS or ARGV. */
  List<Position> positions(String section) {
    List<Position> positions = new ArrayList<>();
    for (String line : sections().getOrDefault(section, List.of())) {
      Matcher start = Pattern.compile("(\\d+)(\\.\\.)? (.*)").matcher(line);
      if (start.matches()) {
        positions.add(
            new Position(Integer.parseInt(start.group(1)), start.group(2) != null, start.group(3)));
      } else if (!positions.isEmpty()) {
        Position last = positions.remove(positions.size() - 1);
        positions.add(new Position(last.number(), last.variadic(), last.meaning() + " " + line));
      }
    }
    return positions;
  }

  /** The numbers by which the code takes something out of KEYS or ARGV. */
  Set<Integer> usedPositions(String table) {
    Set<Integer> used = new TreeSet<>();
    found(Pattern.compile(table + "\\[(\\d+)\\]"), code)
        .forEach(use -> used.add(Integer.parseInt(use.group(1))));
    return used;
  }

  /**
   * Where the code walks ARGV to its end.
   *
   * @param first first position of the walk
   * @param stride how many positions one step takes
   */
  record Walk(int first, int stride) {}

  /** All walks; one that begins at a parameter begins where the callers of its function say. */
  Set<Walk> walks() {
    Set<Walk> walks = new HashSet<>();
    Pattern loop = Pattern.compile("for i = (\\w+), #ARGV(?:, (\\w+))? do");
    found(loop, code)
        .forEach(
            walk -> {
              int stride = walk.group(2) == null ? 1 : number(walk.group(2));
              for (int first : starts(walk.group(1), walk.start())) {
                walks.add(new Walk(first, stride));
              }
            });
    return walks;
  }

  /** How far beyond its step a walk reaches into ARGV. */
  int reach() {
    return found(Pattern.compile("ARGV\\[i(?: \\+ (\\d+))?\\]"), code)
            .mapToInt(use -> use.group(1) == null ? 0 : Integer.parseInt(use.group(1)))
            .max()
            .orElse(-1)
        + 1;
  }

  /** Numbers of fixed arguments that the code takes off the length of ARGV. */
  Set<Integer> takenOffLength() {
    Set<Integer> taken = new TreeSet<>();
    found(Pattern.compile("#ARGV - (\\d+)"), code)
        .forEach(use -> taken.add(Integer.parseInt(use.group(1))));
    return taken;
  }

  private List<Integer> starts(String first, int place) {
    if (first.matches("\\d+")) {
      return List.of(Integer.parseInt(first));
    }
    String function =
        found(Pattern.compile("local function (\\w+)\\(" + first + "\\b"), code)
            .filter(found -> found.start() < place)
            .reduce((earlier, later) -> later)
            .map(found -> found.group(1))
            .orElseThrow(
                () -> new IllegalStateException(name + ": where does " + first + " come from?"));
    return found(Pattern.compile("(?<!function )\\b" + function + "\\((\\d+)"), code)
        .map(call -> Integer.parseInt(call.group(1)))
        .toList();
  }

  private int number(String word) {
    return word.matches("\\d+")
        ? Integer.parseInt(word)
        : found(Pattern.compile("local " + word + " = (\\d+)"), code)
            .map(found -> Integer.parseInt(found.group(1)))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(name + ": what is " + word + "?"));
  }

  /** Each alternative of RETURNS. */
  List<String> returns() {
    return Arrays.stream(section("RETURNS").split("\\|")).map(String::strip).toList();
  }

  Set<String> documentedStatuses() {
    Set<String> words = new TreeSet<>();
    returns().forEach(alternative -> words.add(alternative.replaceAll("\\W.*", "")));
    return words;
  }

  /** First words of the tables that the code builds. */
  Set<String> returnedStatuses() {
    Set<String> words = new TreeSet<>();
    found(STATUS, code).forEach(status -> words.add(status.group(1)));
    return words;
  }

  /** Commands in the code and in the functions that it reaches. */
  Set<String> reachedCommands() {
    Set<String> commands = new TreeSet<>();
    reached()
        .values()
        .forEach(piece -> found(COMMAND, piece).forEach(found -> commands.add(found.group(1))));
    return commands;
  }

  /** Names of the functions that the code reaches. */
  Set<String> reachedFunctions() {
    return reached().keySet();
  }

  /**
   * Functions that the code reaches, with their text, and under no name the code outside of all.
   */
  private Map<String, String> reached() {
    Map<String, String> functions = new TreeMap<>();
    found(FUNCTION, code).forEach(found -> functions.put(found.group(1), found.group()));
    Map<String, String> reached = new TreeMap<>();
    reached.put("", FUNCTION.matcher(code).replaceAll(""));
    List<String> open = new ArrayList<>(List.of(""));
    while (!open.isEmpty()) {
      found(CALL, reached.get(open.remove(open.size() - 1)))
          .map(call -> call.group(1))
          .filter(functions::containsKey)
          .filter(called -> reached.putIfAbsent(called, functions.get(called)) == null)
          .forEach(open::add);
    }
    return reached;
  }

  private static Stream<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }
}
