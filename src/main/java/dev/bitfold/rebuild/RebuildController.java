package dev.bitfold.rebuild;

import dev.bitfold.counter.Counters;
import dev.bitfold.counter.Totals;
import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Vocabulary;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rebuilds over HTTP, for operators. */
@RestController
@RequestMapping(path = "/api/v1/admin", produces = MediaType.APPLICATION_JSON_VALUE)
class RebuildController {

  private static final String JOBS = "/api/v1/admin/jobs/";

  private final Rebuilds rebuilds;
  private final RebuildJobs jobs;
  private final Counters counters;
  private final Vocabulary vocabulary;

  RebuildController(Rebuilds rebuilds, RebuildJobs jobs, Counters counters, Vocabulary vocabulary) {
    this.rebuilds = rebuilds;
    this.jobs = jobs;
    this.counters = counters;
    this.vocabulary = vocabulary;
  }

  /**
   * What a rebuild changed.
   *
   * @param before null if there was no good counter
   */
  record RebuildResponse(@Nullable Map<String, Long> before, Map<String, Long> after) {}

  record RebuildAllRequest(@Nullable String entityType) {}

  record JobResponse(
      UUID id,
      String entityType,
      RebuildJob.State state,
      long done,
      long total,
      double rate,
      @Nullable String error,
      Instant startedAt,
      Instant updatedAt) {

    static JobResponse of(RebuildJob job) {
      return new JobResponse(
          job.id(),
          job.entityType(),
          job.state(),
          job.done(),
          job.total(),
          job.rate(),
          job.error(),
          job.startedAt(),
          job.updatedAt());
    }
  }

  @PostMapping("/rebuild/{entityType}/{entityId}")
  RebuildResponse rebuild(@PathVariable String entityType, @PathVariable String entityId) {
    Entity entity = vocabulary.entity("", entityType, entityId);
    List<Metric> metrics = vocabulary.schema().toggles();
    Map<String, Long> before =
        counters.get(List.of(entity)).get(0).map(totals -> totals.named(metrics)).orElse(null);
    Totals after = rebuilds.force(entity);
    return new RebuildResponse(before, after.named(metrics));
  }

  @PostMapping(path = "/rebuild", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<JobResponse> rebuildAll(@RequestBody RebuildAllRequest request) {
    RebuildJob job = jobs.start(vocabulary.entityType("", request.entityType()));
    return ResponseEntity.accepted()
        .location(URI.create(JOBS + job.id()))
        .body(JobResponse.of(job));
  }

  @GetMapping("/jobs/{id}")
  JobResponse job(@PathVariable UUID id) {
    return jobs.find(id).map(JobResponse::of).orElseThrow(() -> new NoSuchJobException(id));
  }
}
