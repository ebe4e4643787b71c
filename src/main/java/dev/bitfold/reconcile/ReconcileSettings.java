package dev.bitfold.reconcile;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Reconcile.
 *
 * @param every pause between two rounds
 * @param entities most entities one round compares
 * @param batch most entities that are compared at once; bounds how long other calls wait in Redis
 * @param pages most pages of counters one round looks at
 * @param auditEvery pause between two moves of audit lines to PostgreSQL
 * @param auditBatch most lines of one lane that one move takes
 */
@Validated
@ConfigurationProperties("bitfold.reconcile")
public record ReconcileSettings(
    @DefaultValue("1s") @DurationMin(millis = 1) Duration every,
    @DefaultValue("200") @Min(1) int entities,
    @DefaultValue("20") @Min(1) int batch,
    @DefaultValue("20") @Min(1) int pages,
    @DefaultValue("1s") @DurationMin(millis = 1) Duration auditEvery,
    @DefaultValue("200") @Min(1) @Max(1000) int auditBatch) {}
