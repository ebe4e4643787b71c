package dev.bitfold.embedded;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the embedded run.
 *
 * @param data where the three servers keep everything; one run at a time
 * @param redisPort port of Redis on the loopback address
 * @param kafkaPort port of the Kafka broker on the loopback address
 * @param kafkaControllerPort port of the Kafka controller on the loopback address; 0: a free one
 * @param postgresPort port of PostgreSQL on the loopback address
 * @param minFreeSpace a disk with less than this is too full to start on
 * @param startTimeout how long each server may take to be ready
 * @param stopTimeout how long each server may take to stop before it is killed
 */
@Validated
@ConfigurationProperties("bitfold.embedded")
public record EmbeddedSettings(
    @DefaultValue("./data") @NotNull Path data,
    @DefaultValue("16379") @Min(1) @Max(65535) int redisPort,
    @DefaultValue("19092") @Min(1) @Max(65535) int kafkaPort,
    @DefaultValue("0") @Min(0) @Max(65535) int kafkaControllerPort,
    @DefaultValue("15432") @Min(1) @Max(65535) int postgresPort,
    @DefaultValue("256MB") @NotNull DataSize minFreeSpace,
    @DefaultValue("60s") @NotNull @DurationMin(seconds = 1) Duration startTimeout,
    @DefaultValue("20s") @NotNull @DurationMin(seconds = 1) Duration stopTimeout) {

  /** Settings with the default sizes and times, for tests. */
  public static EmbeddedSettings of(Path data, int redisPort, int kafkaPort, int postgresPort) {
    return new EmbeddedSettings(
        data,
        redisPort,
        kafkaPort,
        0,
        postgresPort,
        DataSize.ofMegabytes(256),
        Duration.ofSeconds(60),
        Duration.ofSeconds(20));
  }

  ServerSettings server(String directory, int port) {
    return new ServerSettings(
        data.resolve(directory), data.resolve("bin"), port, startTimeout, stopTimeout);
  }
}
