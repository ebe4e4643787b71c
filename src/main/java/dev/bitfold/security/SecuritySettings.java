package dev.bitfold.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Who is asking.
 *
 * @param identity where the current user comes from
 */
@Validated
@ConfigurationProperties("bitfold")
public record SecuritySettings(@DefaultValue("jwt") Identity identity) {}
