package dev.bitfold.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The headers of the Lua scripts are true; and each check notices a header that is not. */
class LuaContractTest {

  private static final LuaContract CONTRACT = LuaContract.of(Path.of(""));

  @Test
  void headers_are_whole_and_in_order() {
    assertThat(CONTRACT.scripts()).isNotEmpty();
    assertThat(CONTRACT.headers()).isEmpty();
  }

  @Test
  void positions_in_the_header_are_those_of_the_code() {
    assertThat(CONTRACT.positions()).isEmpty();
  }

  @Test
  void status_words_in_the_header_are_those_of_the_code() {
    assertThat(CONTRACT.statuses()).isEmpty();
  }

  @Test
  void every_script_has_one_class_that_knows_its_answers() {
    assertThat(CONTRACT.callers()).isEmpty();
  }

  @Test
  void only_scripts_that_say_so_write() {
    assertThat(CONTRACT.commands()).isEmpty();
  }

  @Test
  void index_lists_every_script_and_include_as_its_header_does() {
    assertThat(CONTRACT.index()).isEmpty();
  }

  @Test
  void index_explains_all_flags_literals_and_keys() {
    assertThat(CONTRACT.explanations()).isEmpty();
  }

  static Stream<Arguments> breaks() {
    Function<LuaContract, List<String>> headers = LuaContract::headers;
    Function<LuaContract, List<String>> positions = LuaContract::positions;
    Function<LuaContract, List<String>> statuses = LuaContract::statuses;
    Function<LuaContract, List<String>> callers = LuaContract::callers;
    Function<LuaContract, List<String>> commands = LuaContract::commands;
    Function<LuaContract, List<String>> index = LuaContract::index;
    Function<LuaContract, List<String>> explanations = LuaContract::explanations;
    String toggle = "fact/toggle.lua";
    String fold = "bucket/fold.lua";
    String rebuild = "rebuild/rebuild.lua";
    return Stream.of(
        arguments(headers, toggle, "#!lua\n", "", "does not start with #!lua"),
        arguments(headers, fold, "allow-oom", "allow-cross-slot-keys", "has flags"),
        arguments(headers, toggle, "-- COST ", "-- PRICE ", "has the sections"),
        arguments(headers, toggle, "-- PURPOSE  M", "-- M", "has the sections"),
        arguments(headers, "fact/shards.inc.lua", "-- PURPOSE ", "-- ", "has sections"),
        arguments(headers, toggle, "include fact/toggles", "include fact/gone", "unknown"),
        arguments(headers, "lane/lane.inc.lua", "-- PURPOSE", "-- include x\n-- ", "includes"),
        arguments(positions, toggle, "KEYS     1 lane", "KEYS     2 lane", "numbered [2]"),
        arguments(positions, toggle, "--          2 most", "--          4 most", "numbered"),
        arguments(positions, toggle, "tonumber(ARGV[2])", "1", "used [1], told [1, 2]"),
        arguments(positions, fold, "tonumber(ARGV[3])", "ARGV[9]", "ARGV used [1, 2, 9]"),
        arguments(positions, toggle, "3.. toggles", "3 toggles", "walks"),
        arguments(positions, toggle, "apply_toggles(3", "apply_toggles(4", "told"),
        arguments(positions, toggle, "#ARGV - 2", "#ARGV - 3", "taken as fixed"),
        arguments(positions, fold, "five each", "four each", "four are not 5"),
        arguments(positions, fold, "#ARGV, 5", "#ARGV, 4", "told"),
        arguments(positions, fold, "ARGV[i + 4]", "ARGV[i + 5]", "uses 6 of 5"),
        arguments(positions, "fact/toggles.inc.lua", "ARGS = 4", "ARGS = 5", "told"),
        arguments(statuses, toggle, "| FULL", "", "answers [CLOSED, FULL, OK]"),
        arguments(statuses, toggle, "{'FULL'}", "{'CLOSED'}", "told [CLOSED, FULL, OK]"),
        arguments(statuses, rebuild, "return {'OVERFLOW'}", "return", "told"),
        arguments(callers, "ToggleScript", "fact/toggle\"", "fact/status\"", "is loaded by"),
        arguments(callers, "ToggleScript", "fact/toggle.lua", "fact/toggles.lua", "comment"),
        arguments(callers, "ToggleScript", "case \"FULL\"", "case \"FULLER\"", "never answers"),
        arguments(callers, rebuild, "| BUSY", "| BUSY | LATE", "tell apart [CLOSED, LATE]"),
        arguments(callers, "FoldScript", "bucket/fold\"", "bucket/bold\"", "is no script"),
        arguments(
            commands,
            "fact/counts.inc.lua",
            "'SMEMBERS', shard.key)) do\n    count",
            "'DEL', shard.key)) do\n    count",
            "is no-writes and calls [DEL]"),
        arguments(
            commands, "fact/status.lua", "'SISMEMBER'", "'SADD'", "is no-writes and calls [SADD]"),
        arguments(commands, "outbox/read.lua", " flags=no-writes", "", "writes nothing"),
        arguments(commands, toggle, "stay_whole()\n", "", "does not stay_whole"),
        arguments(commands, fold, "'SADD'", "'SCAN'", "unlisted [SCAN]"),
        arguments(index, toggle, "time in milliseconds", "time in seconds", "README lacks"),
        arguments(index, fold, "CLOSED | BEYOND", "CLOSED | BEHIND", "README lacks"),
        arguments(index, toggle, "O(log shards)", "O(1)", "README lacks"),
        arguments(index, "README", "| [`fact/count`]", "| `fact/count`", "README lacks"),
        arguments(index, "README", "`CountScript`", "`Facts`", "README has"),
        arguments(index, "lane/lane.inc.lua", "its tag,", "its tags,", "README lacks"),
        arguments(index, "fact/count.lua", "-- include fact/shards\n", "", "README lacks"),
        arguments(explanations, fold, " flags=allow-oom", "", "lacks the row | `allow-oom`"),
        arguments(explanations, "README", "| `@LIFE@`", "| @LIFE@", "literals"),
        arguments(explanations, "README", "| `dirty:{17}`", "| `dirt:{17}`", "keys"));
  }

  @ParameterizedTest(name = "{1}: {2} -> {3}")
  @MethodSource("breaks")
  void break_is_noticed(
      Function<LuaContract, List<String>> check,
      String file,
      String before,
      String after,
      String message) {
    assertThat(check.apply(broken(file, before, after)))
        .anySatisfy(violation -> assertThat(violation).contains(message));
  }

  private static LuaContract broken(String file, String before, String after) {
    if (file.equals("README")) {
      return new LuaContract(
          CONTRACT.lua(), CONTRACT.java(), replaced(CONTRACT.readme(), before, after));
    }
    return file.endsWith(".lua")
        ? new LuaContract(
            broken(CONTRACT.lua(), file, before, after), CONTRACT.java(), CONTRACT.readme())
        : new LuaContract(
            CONTRACT.lua(), broken(CONTRACT.java(), file, before, after), CONTRACT.readme());
  }

  private static Map<String, String> broken(
      Map<String, String> files, String file, String before, String after) {
    Map<String, String> broken = new HashMap<>(files);
    broken.compute(file, (name, text) -> replaced(text, before, after));
    return broken;
  }

  private static String replaced(String text, String before, String after) {
    assertThat(text).as("what is to be broken stands there").contains(before);
    return text.replace(before, after);
  }
}
