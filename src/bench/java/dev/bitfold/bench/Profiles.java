package dev.bitfold.bench;

import dev.bitfold.bench.load.LoadGenerator;
import dev.bitfold.bench.load.Requests;
import dev.bitfold.testkit.Instance;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** Where the service spends its time under reads and under toggles, as flame graphs. */
final class Profiles implements Section {

  private static final int TIMES = 3;

  @Override
  public String name() {
    return "profile";
  }

  @Override
  public void run(Bench bench) {
    bench.report().section("Profile");
    Path library = library();
    Calls calls = bench.calls(11);
    try (LoadGenerator load = bench.load(bench.form().connections())) {
      profile(bench, load, library, "read", calls.reads(Bench.READ, bench.entities()));
      profile(bench, load, library, "toggle", calls.toggles(Bench.ACT, bench.entities()));
    }
  }

  private static void profile(
      Bench bench, LoadGenerator load, Path library, String name, Requests requests) {
    load.closed(requests, bench.form().time(1));
    Path stacks = BenchForm.DIRECTORY.resolve("profile-" + name + ".collapsed").toAbsolutePath();
    Instance service = bench.deployment().service;
    order(service, library, "start,event=itimer,interval=1ms");
    load.closed(requests, bench.form().time(TIMES));
    order(service, library, "stop,collapsed,file=" + stacks);
    bench.deployment().awaitSettled();
    Path svg = FlameGraph.of(stacks).write("Bitfold, " + name);
    bench.report().image("Flame graph of the service under single calls: " + name, svg);
  }

  private static void order(Instance service, Path library, String order) {
    // In quotes, or jcmd takes what stands before an equals sign for its own.
    service.tell("JVMTI.agent_load", library.toString(), "\"" + order + "\"");
  }

  /** The native library of the profiler, as a file. */
  private static Path library() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arm = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    String name = (os.startsWith("mac") ? "macos" : "linux-" + arm) + "/libasyncProfiler.so";
    Path file = BenchForm.DIRECTORY.resolve("libasyncProfiler.so").toAbsolutePath();
    try (InputStream in = Profiles.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no profiler for this machine: " + name);
      }
      Files.createDirectories(file.getParent());
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
