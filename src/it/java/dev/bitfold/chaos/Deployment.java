package dev.bitfold.chaos;

import dev.bitfold.embedded.KafkaServer;
import dev.bitfold.embedded.PostgresServer;
import dev.bitfold.embedded.ServerSettings;
import dev.bitfold.metric.Lane;
import dev.bitfold.metric.Lanes;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.FreePorts;
import dev.bitfold.testkit.Instance;
import dev.bitfold.testkit.PackagedService;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Two instances of the packaged service and stores of their own, all of them processes. */
final class Deployment implements AutoCloseable {

  private static final int INSTANCES = 2;

  final Lanes lanes = new Lanes(8);
  final RedisPair redis;
  final KafkaServer kafka;
  final PostgresServer postgres;
  final List<Instance> instances;
  final CounterTopic topic;

  private Deployment(Path directory, Path jar, Map<String, Object> settings) {
    List<Integer> ports = FreePorts.many(2 + 2 * INSTANCES);
    postgres = new PostgresServer(ServerSettings.of(directory.resolve("postgres"), ports.get(0)));
    kafka =
        new KafkaServer(
            ServerSettings.of(directory.resolve("kafka"), ports.get(1)), FreePorts.one());
    CompletableFuture<Void> others =
        CompletableFuture.allOf(
            CompletableFuture.runAsync(postgres::start), CompletableFuture.runAsync(kafka::start));
    redis = RedisPair.start(directory);
    others.join();
    topic = new CounterTopic(kafka.bootstrapServers());
    Instance.Program program =
        new Instance.Program(
            Path.of(System.getProperty("java.home")),
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of("-jar", jar.toString()));
    instances = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      instances.add(
          new Instance(
              "instance-" + i,
              program,
              directory,
              ports.get(2 + 2 * i),
              ports.get(3 + 2 * i),
              properties(settings)));
    }
  }

  static Deployment start(Path directory, Path jar, Map<String, Object> settings) {
    Deployment deployment =
        new Deployment(directory, PackagedService.unpacked(jar, directory), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(deployment::close));
    deployment.instances.get(0).train();
    deployment.instances.forEach(Instance::launch);
    deployment.awaitOpen();
    return deployment;
  }

  /** Every timeout and lease is short, so that faults can outlast it. */
  private Map<String, Object> properties(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>();
    all.put("spring.data.redis.host", "127.0.0.1");
    all.put("spring.data.redis.port", redis.front().port());
    all.put("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
    all.put("spring.datasource.url", postgres.jdbcUrl());
    all.put("spring.datasource.username", postgres.username());
    all.put("spring.datasource.password", postgres.password());
    all.put("spring.kafka.consumer.properties.session.timeout.ms", 3000);
    all.put("spring.kafka.consumer.properties.heartbeat.interval.ms", 500);
    all.put("server.address", "127.0.0.1");
    all.put("management.server.address", "127.0.0.1");
    all.put("bitfold.identity", "header");
    all.put("bitfold.lanes", lanes.count());
    all.put("bitfold.shard-ids", 4); // shards and pages are split and joined all the time
    all.put("bitfold.page-counters", 2);
    all.put("bitfold.relay.go-back", "1s");
    all.put("bitfold.recover.blocked-every", "1s");
    all.put("bitfold.recover.stall", "5s");
    all.put("bitfold.topics.look-every", "1s");
    all.put("spring.kafka.producer.properties.request.timeout.ms", 2000);
    all.put("spring.kafka.producer.properties.delivery.timeout.ms", 4000);
    all.put("bitfold.rebuild.heartbeat", "500ms");
    all.put("bitfold.rebuild.step-shards", 2); // a walk of a hot entity takes several steps
    all.put("bitfold.rebuild.abandoned-after", "1s");
    all.put("bitfold.rebuild.compare-events", 20_000);
    all.put("bitfold.reconcile.every", "200ms");
    all.put("logging.structured.format.console", "");
    all.put("spring.main.banner-mode", "off");
    all.putAll(settings);
    return all;
  }

  /** Waits until every instance answers and has its share of the lanes, and all are open. */
  void awaitOpen() {
    instances.forEach(Instance::awaitUp);
    Await.until(
        "all lanes open, some in every instance",
        () -> {
          List<Integer> open = instances.stream().map(one -> lanesIn(one, "open")).toList();
          return !open.contains(0)
              && open.stream().mapToInt(Integer::intValue).sum() == lanes.count();
        });
  }

  /** Lanes of all instances in a state, as health tells. */
  int lanesIn(String state) {
    return instances.stream().mapToInt(instance -> lanesIn(instance, state)).sum();
  }

  private static int lanesIn(Instance instance, String state) {
    try {
      return instance
          .management()
          .get("/actuator/health")
          .json()
          .at("/components/lanes/details/" + state)
          .asInt(0);
    } catch (UncheckedIOException notYet) {
      return 0;
    }
  }

  List<Lane> allLanes() {
    return lanes.all();
  }

  @Override
  public void close() {
    instances.forEach(Instance::close);
    topic.close();
    redis.close();
    kafka.kill();
    postgres.stop();
  }
}
