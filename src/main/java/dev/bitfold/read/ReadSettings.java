package dev.bitfold.read;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Reads.
 *
 * @param maxEntities most entities in one batch
 */
@Validated
@ConfigurationProperties("bitfold.read")
public record ReadSettings(@DefaultValue("200") @Min(1) @Max(200) int maxEntities) {}
