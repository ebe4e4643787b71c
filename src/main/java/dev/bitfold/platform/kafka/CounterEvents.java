package dev.bitfold.platform.kafka;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaAdmin;

/** The topic of the log as Kafka has it now. */
public class CounterEvents implements AutoCloseable {

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final KafkaAdmin admin;
  private final TopicSettings settings;
  private @Nullable Admin client;
  private volatile String knownId = "";

  public CounterEvents(KafkaAdmin admin, TopicSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  /** Id of the topic as last described, empty if it was not yet. A topic made anew has another. */
  public String knownId() {
    return knownId;
  }

  /** The topic's id and partitions; a topic that is missing is created for the next call. */
  public synchronized TopicDescription describe() throws KafkaUnavailableException {
    try {
      TopicDescription topic =
          KafkaReplies.await(
                  client()
                      .describeTopics(List.of(settings.events(), settings.dead()))
                      .allTopicNames()
                      .toCompletionStage()
                      .toCompletableFuture(),
                  WAIT)
              .get(settings.events());
      knownId = topic.topicId().toString();
      return topic;
    } catch (KafkaUnavailableException away) {
      if (away.getCause() instanceof UnknownTopicOrPartitionException) {
        admin.initialize();
      }
      throw away;
    }
  }

  private Admin client() {
    if (client == null) {
      client = Admin.create(admin.getConfigurationProperties());
    }
    return client;
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close(Duration.ofSeconds(1));
    }
  }
}
