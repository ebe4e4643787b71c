package dev.bitfold.platform.web;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Limits of the HTTP door.
 *
 * @param maxBody largest request body
 * @param maxCalls most API calls under way at once; beyond it 503 at once. Keep it below the
 *     threads of the server, so that a slow Redis never takes the last one
 */
@Validated
@ConfigurationProperties("bitfold.web")
public record WebSettings(
    @DefaultValue("256KB") DataSize maxBody, @DefaultValue("150") @Min(1) int maxCalls) {}
