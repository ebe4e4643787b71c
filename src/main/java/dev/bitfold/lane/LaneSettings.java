package dev.bitfold.lane;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What is fixed when the data is first created.
 *
 * @param lanes number of lanes; a start with another number than the data has is refused
 * @param entityTypes the entity types that are counted
 * @param shardIds most user ids that are kept as a small set; may be changed at any time. Redis
 *     packs sets of up to its {@code set-max-intset-entries}
 * @param pageCounters most counters of a page that is not split when its turn comes; some wait with
 *     three times as many. May be changed at any time. Redis packs hashes of up to its {@code
 *     hash-max-listpack-entries}
 */
@Validated
@ConfigurationProperties("bitfold")
public record LaneSettings(
    @DefaultValue("64") @Min(1) @Max(1024) int lanes,
    @DefaultValue({"post", "comment"}) @NotEmpty
        Set<@Pattern(regexp = "[a-z][a-z0-9_-]{0,31}") String> entityTypes,
    @DefaultValue("512") @Min(1) @Max(1024) int shardIds,
    @DefaultValue("40") @Min(1) @Max(512) int pageCounters) {}
