package dev.bitfold.platform.kafka;

/** Kafka did not do what was asked; it may be tried again. */
public class KafkaUnavailableException extends Exception {

  public KafkaUnavailableException(Throwable cause) {
    super("Kafka: " + cause.getMessage(), cause);
  }
}
