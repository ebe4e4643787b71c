package dev.bitfold.rebuild;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Rebuilds.
 *
 * @param stepShards most shards one call counts; bounds how long Redis is held up
 * @param abandonedAfter a walk without a step for so long is forgotten
 * @param compareEvents most events of a lane on their way that a rebuild looks at to tell whether
 *     the counter was wrong; beyond it nothing is told
 * @param patience longest wait of a reader for somebody else's walk; then 503
 * @param poll pause between two looks while waiting
 * @param scanCount keys a job asks Redis for at a time
 * @param heartbeat how often a job writes its progress; three missed ones mean it was abandoned
 */
@Validated
@ConfigurationProperties("bitfold.rebuild")
public record RebuildSettings(
    @DefaultValue("128") @Min(1) int stepShards,
    @DefaultValue("5s") @DurationMin(millis = 1) Duration abandonedAfter,
    @DefaultValue("500") @Min(0) int compareEvents,
    @DefaultValue("2s") @DurationMin(millis = 1) Duration patience,
    @DefaultValue("20ms") @DurationMin(millis = 1) Duration poll,
    @DefaultValue("500") @Min(10) int scanCount,
    @DefaultValue("2s") @DurationMin(millis = 1) Duration heartbeat) {}
