package dev.bitfold.outbox;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The relay.
 *
 * @param every shortest pause between two passes over the lanes owned here; passes that take long
 *     make longer ones, five times as long at most
 * @param events most events of a lane on their way to Kafka at once
 * @param lanesAtOnce most lanes whose outboxes are read by calls to Redis that leave together; what
 *     callers ask meanwhile comes behind them
 * @param goBack time in which the fold has taken nothing, although it has read past what was sent
 *     or reads nothing, after which everything unfolded is sent again
 * @param sendWait longest wait for acknowledgements
 */
@Validated
@ConfigurationProperties("bitfold.relay")
public record RelaySettings(
    @DefaultValue("20ms") @DurationMin(millis = 1) Duration every,
    @DefaultValue("1000") @Min(1) int events,
    @DefaultValue("16") @Min(1) int lanesAtOnce,
    @DefaultValue("3s") @DurationMin(millis = 1) Duration goBack,
    @DefaultValue("15s") @DurationMin(millis = 1) Duration sendWait) {}
