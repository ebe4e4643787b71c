-- Rebuilds of all counters of an entity type, with their progress.
create table rebuild_job (
  id          uuid        primary key,
  entity_type text        not null,
  state       text        not null,
  done        bigint      not null,
  total       bigint      not null,
  error       text,
  started_at  timestamptz not null,
  updated_at  timestamptz not null
);

create index rebuild_job_by_type on rebuild_job (entity_type, started_at desc);
