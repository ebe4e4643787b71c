package dev.bitfold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.platform.web.ProblemCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** Documents say what the code says: nothing of it is missing there, nothing there is made up. */
class DocsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath();
  private static final Path REFERENCE = ROOT.resolve("docs/reference");
  private static final Path MAIN = ROOT.resolve("src/main/java");
  private static final Pattern METER = Pattern.compile("\"(bitfold\\.[a-z.]+)\"");
  private static final Pattern LUA_KEY = Pattern.compile("'([a-z]+:)' \\.\\. TAG");
  private static final Pattern JAVA_KEY = Pattern.compile("bytes\\(\"([a-z]+:[a-z]*)\"");
  private static final Pattern CHOICE = Pattern.compile("\\{\\w+:([a-z|]+)}");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  @Test
  void every_setting_is_documented_with_its_default() {
    Map<String, String> settings = new TreeMap<>();
    for (Class<?> record : annotated(ConfigurationProperties.class)) {
      String prefix = record.getAnnotation(ConfigurationProperties.class).value();
      for (Parameter component : canonical(record).getParameters()) {
        DefaultValue value = component.getAnnotation(DefaultValue.class);
        assertThat(value).as("default of %s", component).isNotNull();
        settings.put(prefix + "." + kebab(component.getName()), String.join(",", value.value()));
      }
    }
    assertThat(settings).hasSizeGreaterThan(40);
    assertThat(rows("configuration.md", "\\| `(bitfold\\.[^`]+)` \\| `([^`]*)` \\|.*"))
        .containsExactlyInAnyOrderEntriesOf(settings);
  }

  @Test
  void every_problem_code_is_documented_with_its_status() {
    Map<String, String> codes =
        Arrays.stream(ProblemCode.values())
            .collect(
                Collectors.toMap(
                    ProblemCode::code, code -> Integer.toString(code.status().value())));
    assertThat(rows("errors.md", "\\| `([a-z_]+)` \\| (\\d{3}) \\|.*"))
        .containsExactlyInAnyOrderEntriesOf(codes);
  }

  @Test
  void every_meter_is_documented() {
    Set<String> meters =
        files(MAIN, ".java").stream()
            .flatMap(file -> read(file).lines())
            .filter(line -> !line.contains("@ConfigurationProperties"))
            .flatMap(line -> METER.matcher(line).results())
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(meters).hasSizeGreaterThan(10);
    assertThat(rows("metrics.md", "\\| `(bitfold\\.[a-z.]+)` \\|(.*)").keySet())
        .containsExactlyInAnyOrderElementsOf(meters);
  }

  @Test
  void every_key_is_documented() {
    Set<String> prefixes =
        Stream.concat(
                files(ROOT.resolve("lua"), ".lua").stream()
                    .flatMap(file -> LUA_KEY.matcher(read(file)).results()),
                JAVA_KEY.matcher(read(MAIN.resolve("dev/bitfold/lane/LaneKeys.java"))).results())
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(prefixes)
        .contains("lane:", "folded:", "outbox:", "dirty:", "floor:", "shards:", "bm:", "agg:")
        .contains("cnt:", "rebuild:", "bitfold:lanes");
    assertThat(rows("keys.md", "\\| `([a-z]+:[a-z]*)[^`,]*` \\|(.*)").keySet())
        .containsExactlyInAnyOrderElementsOf(prefixes);
  }

  @Test
  void every_call_is_documented() {
    Set<String> calls = new TreeSet<>();
    for (Class<?> controller : annotated(RestController.class)) {
      if (!ErrorController.class.isAssignableFrom(controller)) {
        Arrays.stream(controller.getDeclaredMethods()).forEach(m -> calls.addAll(calls(m)));
      }
    }
    assertThat(calls).hasSizeGreaterThan(8);
    assertThat(rows("http.md", "### `((?:GET|POST|PUT|PATCH|DELETE) /\\S+)`()").keySet())
        .containsExactlyInAnyOrderElementsOf(calls);
  }

  @Test
  void every_relative_link_leads_somewhere() {
    Set<String> broken = new TreeSet<>();
    for (Path page : pages()) {
      String text = FENCE.matcher(read(page)).replaceAll("");
      LINK.matcher(text)
          .results()
          .map(found -> found.group(1))
          .filter(link -> !link.matches("[a-z]+:.*"))
          .filter(link -> !resolves(page, link))
          .forEach(link -> broken.add(ROOT.relativize(page) + " -> " + link));
    }
    assertThat(broken).isEmpty();
  }

  /** Each match of a whole line: first group to second. */
  private static Map<String, String> rows(String page, String line) {
    Map<String, String> rows = new TreeMap<>();
    Pattern.compile("(?m)^" + line + "$")
        .matcher(read(REFERENCE.resolve(page)))
        .results()
        .forEach(
            row ->
                assertThat(rows.put(row.group(1), row.group(2)))
                    .as("%s in %s a second time", row.group(1), page)
                    .isNull());
    return rows;
  }

  private static List<Class<?>> annotated(Class<? extends Annotation> annotation) {
    var scan = new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AnnotationTypeFilter(annotation));
    return scan.findCandidateComponents("dev.bitfold").stream()
        .<Class<?>>map(found -> ClassUtils.resolveClassName(found.getBeanClassName(), null))
        .toList();
  }

  private static Constructor<?> canonical(Class<?> record) {
    return Arrays.stream(record.getDeclaredConstructors())
        .filter(made -> made.getParameterCount() == record.getRecordComponents().length)
        .findFirst()
        .orElseThrow();
  }

  private static String kebab(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }

  /** The calls a method answers: "POST /api/v1/action/like"; a choice in a path is each of them. */
  private static Set<String> calls(Method method) {
    RequestMapping own = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
    RequestMapping all =
        AnnotatedElementUtils.findMergedAnnotation(
            method.getDeclaringClass(), RequestMapping.class);
    Set<String> calls = new TreeSet<>();
    if (own != null) {
      for (RequestMethod verb : own.method()) {
        for (String before : all == null ? new String[] {""} : all.path()) {
          for (String after : own.path()) {
            each(before + after).forEach(path -> calls.add(verb + " " + path));
          }
        }
      }
    }
    return calls;
  }

  private static List<String> each(String path) {
    MatchResult choice = CHOICE.matcher(path).results().findFirst().orElse(null);
    return choice == null
        ? List.of(path)
        : Arrays.stream(choice.group(1).split("\\|"))
            .map(word -> path.replace(choice.group(), word))
            .toList();
  }

  private static Collection<Path> pages() {
    return Stream.of(
            files(ROOT, 1, ".md"),
            files(ROOT.resolve("docs"), ".md"),
            files(ROOT.resolve("lua"), ".md"))
        .flatMap(Collection::stream)
        .toList();
  }

  private static boolean resolves(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target =
        parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).toAbsolutePath().normalize();
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) {
    return HEADING
        .matcher(FENCE.matcher(read(page)).replaceAll(""))
        .results()
        .map(found -> found.group(1).toLowerCase(Locale.ROOT).strip())
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<Path> files(Path directory, String ending) {
    return files(directory, Integer.MAX_VALUE, ending);
  }

  private static List<Path> files(Path directory, int depth, String ending) {
    try (Stream<Path> files = Files.walk(directory, depth)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
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
}
