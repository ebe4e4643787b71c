package dev.bitfold.flush;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The flush.
 *
 * @param every time from one round to the next
 * @param entities most entities one call takes
 * @param shards most shards one call counts to rebuild missing counters
 * @param calls most calls a round makes for one lane; what is left waits for the next round
 */
@Validated
@ConfigurationProperties("bitfold.flush")
public record FlushSettings(
    @DefaultValue("1s") @DurationMin(millis = 1) Duration every,
    @DefaultValue("25") @Min(1) @Max(1000) int entities,
    @DefaultValue("128") @Min(1) int shards,
    @DefaultValue("400") @Min(1) int calls) {}
