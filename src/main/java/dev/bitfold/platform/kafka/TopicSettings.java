package dev.bitfold.platform.kafka;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The topics.
 *
 * @param events topic of the log, one partition a lane
 * @param dead topic of records that are not events
 * @param lookEvery pause between two looks whether the topics are there
 * @param replicas copies of each partition when a topic is created here; -1 leaves it to the broker
 * @param retention how long the log keeps events when it is created here; must exceed the age of
 *     any copy of Redis that may be restored
 */
@Validated
@ConfigurationProperties("bitfold.topics")
public record TopicSettings(
    @DefaultValue("counter-events") @NotBlank String events,
    @DefaultValue("counter-events.dead") @NotBlank String dead,
    @DefaultValue("5s") @DurationMin(millis = 1) Duration lookEvery,
    @DefaultValue("-1") @Min(-1) short replicas,
    @DefaultValue("7d") @DurationMin(millis = 1) Duration retention) {}
