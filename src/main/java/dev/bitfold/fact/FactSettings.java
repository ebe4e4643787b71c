package dev.bitfold.fact;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Toggles and status.
 *
 * @param durability when a toggle is answered
 * @param durableWait longest wait of a durable toggle for its fold; then 503, and it may be sent
 *     again
 * @param durablePoll pause between two looks at the fold while waiting
 * @param outboxLimit most events of a lane that may wait for their fold; beyond it toggles get 503
 * @param outboxEase events of a lane that may wait for their fold before its toggles are answered
 *     later, up to {@code longestHold} at ten times as many
 * @param longestHold longest time an answer is held back because the fold lags; 0 never holds back
 * @param heldAnswers most answers held back at once; others are given without delay
 * @param maxActions most actions in one batch
 * @param sharedFacts most facts of a lane, changed or asked for by calls that come at the same
 *     time, that share a call to Redis
 * @param waitingFacts most facts of a lane that wait to be changed, or to be told; beyond it 503
 * @param countShards most shards one call may count for an exact read
 */
@Validated
@ConfigurationProperties("bitfold.fact")
public record FactSettings(
    @DefaultValue("fast") Durability durability,
    @DefaultValue("5s") @DurationMin(millis = 1) Duration durableWait,
    @DefaultValue("5ms") @DurationMin(millis = 1) Duration durablePoll,
    @DefaultValue("100000") @Min(500) int outboxLimit,
    @DefaultValue("500") @Min(1) int outboxEase,
    @DefaultValue("200ms") @DurationMin(nanos = 0) @DurationMax(seconds = 5) Duration longestHold,
    @DefaultValue("50") @Min(0) int heldAnswers,
    @DefaultValue("500") @Min(1) @Max(500) int maxActions,
    @DefaultValue("500") @Min(1) @Max(500) int sharedFacts,
    @DefaultValue("5000") @Min(1) int waitingFacts,
    @DefaultValue("128") @Min(1) int countShards) {}
