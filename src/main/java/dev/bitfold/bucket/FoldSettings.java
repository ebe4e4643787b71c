package dev.bitfold.bucket;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The fold.
 *
 * @param threads consumers of this instance in the group
 * @param lanesAtOnce most lanes that are folded by calls to Redis that leave together; what callers
 *     ask meanwhile comes behind them
 * @param deadLetterWait longest wait until the dead letter topic has a poisoned record
 */
@Validated
@ConfigurationProperties("bitfold.fold")
public record FoldSettings(
    @DefaultValue("1") @Min(1) int threads,
    @DefaultValue("8") @Min(1) int lanesAtOnce,
    @DefaultValue("10s") @DurationMin(millis = 1) Duration deadLetterWait) {}
