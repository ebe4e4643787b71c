package dev.bitfold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL with one database, {@code bitfold}, for the user {@code postgres} without password,
 * reachable over the loopback address only. It works for root and for ordinary users.
 */
public final class PostgresServer extends EmbeddedServer {

  private static final String USER = "postgres";
  private static final String DATABASE = "bitfold";

  public PostgresServer(ServerSettings settings) {
    super("PostgreSQL", "bitfold.embedded.postgres-port", settings);
  }

  public String jdbcUrl() {
    return jdbcUrl(DATABASE);
  }

  public String username() {
    return USER;
  }

  /** Any: the server trusts the loopback address. */
  public String password() {
    return USER;
  }

  @Override
  List<String> command() throws IOException, InterruptedException {
    Path home = PostgresBinaries.unpack(settings.binaries());
    List<String> prefix = PostgresBinaries.prefix();
    if (!Files.isDirectory(database())) {
      createDatabaseCluster(home, prefix);
    }
    forgetReusedPid();
    List<String> command = new ArrayList<>(prefix);
    command.add(home.resolve("bin/postgres").toString());
    command.addAll(List.of("-D", database().toString(), "-p", Integer.toString(port())));
    command.addAll(List.of("-c", "listen_addresses=" + HOST, "-c", "unix_socket_directories="));
    command.addAll(List.of("-c", "timezone=UTC", "-c", "shared_buffers=32MB"));
    return command;
  }

  @Override
  Optional<String> probe(long pid) {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select current_setting('data_directory'), current_setting('server_version')")) {
      row.next();
      return row.getString(1).equals(database().toString())
          ? Optional.of(row.getString(2))
          : Optional.empty();
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  @Override
  void afterStart() throws IOException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      try (ResultSet found =
          statement.executeQuery("select 1 from pg_database where datname = '" + DATABASE + "'")) {
        if (found.next()) {
          return;
        }
      }
      statement.execute("create database " + DATABASE);
    } catch (SQLException e) {
      throw new IOException("the database " + DATABASE + " cannot be created", e);
    }
  }

  @Override
  Path pidFile() {
    return database().resolve("postmaster.pid");
  }

  @Override
  boolean isOurs(String program, List<String> arguments) {
    return program.contains("postgres") && arguments.contains(database().toString());
  }

  /** SIGINT: ends connections instead of waiting for their clients. */
  @Override
  void terminate(ProcessHandle running) {
    Processes.interrupt(running);
  }

  private Path database() {
    return settings.directory().resolve("database");
  }

  private void createDatabaseCluster(Path home, List<String> prefix)
      throws IOException, InterruptedException {
    Path half = settings.directory().resolve("database.half");
    Path log = settings.directory().resolve("initdb.log");
    FileSystemUtils.deleteRecursively(half);
    List<String> command = new ArrayList<>(prefix);
    command.add(home.resolve("bin/initdb").toString());
    command.addAll(List.of("-D", half.toString(), "-U", USER, "-A", "trust"));
    command.addAll(List.of("-E", "UTF8", "--locale=C"));
    Process initdb = Processes.start(command, Map.of(), log);
    try {
      long seconds = settings.startTimeout().toSeconds();
      if (!initdb.waitFor(seconds, TimeUnit.SECONDS) || initdb.exitValue() != 0) {
        throw new EmbeddedStartException(
            "PostgreSQL could not create its database files.%s".formatted(lastLines(log)),
            "See %s.".formatted(log));
      }
    } finally {
      Processes.kill(initdb.toHandle());
    }
    Files.move(half, database(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Deletes a pid file whose number now belongs to a process that is certainly not PostgreSQL, for
   * which PostgreSQL would refuse to start. In every other case the decision is left to it.
   */
  private void forgetReusedPid() throws IOException {
    boolean reused =
        pidInFile()
            .flatMap(ProcessHandle::of)
            .flatMap(process -> process.info().command())
            .filter(program -> !program.contains("postgres"))
            .isPresent();
    if (reused) {
      Files.deleteIfExists(pidFile());
    }
  }

  private Connection connect(String database) throws SQLException {
    try {
      Class.forName("org.postgresql.Driver"); // in a fat jar nobody else announces it
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return DriverManager.getConnection(
        jdbcUrl(database) + "?connectTimeout=2&socketTimeout=30", USER, USER);
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://%s:%d/%s".formatted(HOST, port(), database);
  }
}
