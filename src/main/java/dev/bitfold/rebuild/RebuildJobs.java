package dev.bitfold.rebuild;

import dev.bitfold.metric.Entity;
import dev.bitfold.metric.Metric;
import dev.bitfold.metric.Schema;
import dev.bitfold.rebuild.RebuildJob.State;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Runs rebuilds of whole entity types in the background, at most one for each type. */
class RebuildJobs implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RebuildJobs.class);

  private final RebuildJobStore store;
  private final EntityScan scan;
  private final Rebuilds rebuilds;
  private final Schema schema;
  private final RebuildSettings settings;
  private final Clock clock;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(new CustomizableThreadFactory("rebuild-job-"));

  RebuildJobs(
      RebuildJobStore store,
      EntityScan scan,
      Rebuilds rebuilds,
      Schema schema,
      RebuildSettings settings,
      Clock clock) {
    this.store = store;
    this.scan = scan;
    this.rebuilds = rebuilds;
    this.schema = schema;
    this.settings = settings;
    this.clock = clock;
  }

  /** Starts a job, or answers the one that is under way for the type. */
  RebuildJob start(String entityType) {
    Optional<RebuildJob> running = store.running(entityType);
    if (running.isPresent()) {
      return running.get();
    }
    RebuildJob job = store.create(entityType);
    threads.execute(() -> run(job));
    return job;
  }

  Optional<RebuildJob> find(UUID id) {
    return store.find(id);
  }

  private void run(RebuildJob job) {
    String type = job.entityType();
    Progress progress = new Progress(job.id(), type);
    try {
      for (Metric metric : schema.toggles()) {
        scan.facts(metric.name(), type).each(progress::repair);
      }
      scan.counters().each(progress::count);
      progress.state = State.RUNNING;
      scan.counters().each(page -> progress.of(page).forEach(progress::rebuild));
      progress.end(State.DONE, null);
    } catch (RuntimeException failure) {
      log.error("rebuild of all {} failed, starting it again is safe", type, failure);
      progress.end(State.FAILED, String.valueOf(failure.getMessage()));
    }
  }

  /** How far a job is; written down at every heartbeat. */
  private final class Progress {
    private final UUID id;
    private final String type;
    private State state = State.COUNTING;
    private long done;
    private long total;
    private Instant written = Instant.EPOCH;

    Progress(UUID id, String type) {
      this.id = id;
      this.type = type;
    }

    /** Those of the type. */
    List<Entity> of(List<Entity> entities) {
      return entities.stream().filter(entity -> entity.type().equals(type)).toList();
    }

    /** Entities with facts get a counter, so that all are found by their counters. */
    void repair(List<Entity> entities) {
      rebuilds.missing(entities);
      write();
    }

    void count(List<Entity> entities) {
      total += of(entities).size();
      write();
    }

    void rebuild(Entity entity) {
      rebuilds.force(entity);
      done++;
      total = Math.max(total, done);
      write();
    }

    void end(State ended, @Nullable String error) {
      try {
        store.update(id, ended, done, total, error);
      } catch (DataAccessException away) {
        log.error("the end of job {} could not be written: {}", id, away.getMessage());
      }
    }

    private void write() {
      Instant now = clock.instant();
      if (now.isAfter(written.plus(settings.heartbeat()))) {
        store.update(id, state, done, total, null);
        written = now;
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
