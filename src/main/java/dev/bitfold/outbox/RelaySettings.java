package dev.bitfold.outbox;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The relay.
 *
 * @param threads threads that share the lanes owned here
 * @param entries most outbox entries one round sends
 * @param idle pause of a thread when none of its lanes had anything to send
 * @param goBack time in which the fold has taken nothing, although it has read past what was sent
 *     or reads nothing, after which everything unfolded is sent again
 * @param sendWait longest wait for the acknowledgement of a round
 */
@Validated
@ConfigurationProperties("bitfold.relay")
public record RelaySettings(
    @DefaultValue("2") @Min(1) int threads,
    @DefaultValue("200") @Min(1) int entries,
    @DefaultValue("20ms") Duration idle,
    @DefaultValue("3s") Duration goBack,
    @DefaultValue("15s") Duration sendWait) {}
