package dev.bitfold.platform.kafka;

import dev.bitfold.platform.time.TroubleLog;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** Creates topics that are missing, also when Kafka came later than the service or lost them. */
class TopicKeeper {

  private static final Logger log = LoggerFactory.getLogger(TopicKeeper.class);

  private final CounterEvents topic;
  private final TroubleLog trouble;

  TopicKeeper(CounterEvents topic, Clock clock) {
    this.topic = topic;
    this.trouble = new TroubleLog(log, clock);
  }

  @Scheduled(fixedDelayString = "${bitfold.topics.look-every:5s}")
  void look() {
    try {
      topic.describe();
    } catch (KafkaUnavailableException away) {
      trouble.warn("the topic is missing or Kafka is away, looked at again", away);
    }
  }
}
