package dev.bitfold.counter;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Counters.
 *
 * @param readsUnderWay with so many counters on their way from a node of Redis, further reads
 *     gather
 * @param sharedReads most counters, of calls that come at the same time, that share a round trip to
 *     a node of Redis
 * @param waitingReads most counters that wait for their round trip; beyond it 503
 */
@Validated
@ConfigurationProperties("bitfold.counter")
public record CounterSettings(
    @DefaultValue("8") @Min(1) int readsUnderWay,
    @DefaultValue("500") @Min(1) int sharedReads,
    @DefaultValue("20000") @Min(1) int waitingReads) {}
