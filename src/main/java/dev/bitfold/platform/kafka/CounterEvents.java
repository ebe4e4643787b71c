package dev.bitfold.platform.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaAdmin;

/** The topic of the log as Kafka has it now. */
public class CounterEvents implements AutoCloseable {

  private static final int WAIT_SECONDS = 5;

  private final KafkaAdmin admin;
  private final TopicSettings settings;
  private @Nullable Admin client;

  public CounterEvents(KafkaAdmin admin, TopicSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  /** The topic's id and partitions; a topic that is missing is created for the next call. */
  public synchronized TopicDescription describe() throws KafkaUnavailableException {
    try {
      return client()
          .describeTopics(List.of(settings.events(), settings.dead()))
          .allTopicNames()
          .get(WAIT_SECONDS, TimeUnit.SECONDS)
          .get(settings.events());
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
        admin.initialize();
      }
      throw new KafkaUnavailableException(failed.getCause());
    } catch (TimeoutException late) {
      throw new KafkaUnavailableException(late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new KafkaUnavailableException(interrupted);
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
