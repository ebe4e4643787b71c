package dev.bitfold.recover;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Recovery of closed lanes.
 *
 * @param every pause between two looks for closed lanes
 * @param blockedEvery pause between two looks at lanes that could not be opened without loss
 * @param batch toggles that one call applies again
 * @param stall longest wait for Kafka without any progress
 * @param acceptLoss opens a lane even if the log no longer has all that its Redis lost; what is
 *     missing stays lost
 */
@Validated
@ConfigurationProperties("bitfold.recover")
public record RecoverSettings(
    @DefaultValue("250ms") @DurationMin(millis = 1) Duration every,
    @DefaultValue("30s") @DurationMin(millis = 1) Duration blockedEvery,
    @DefaultValue("200") @Min(1) @Max(1000) int batch,
    @DefaultValue("15s") @DurationMin(millis = 1) Duration stall,
    @DefaultValue("false") boolean acceptLoss) {}
