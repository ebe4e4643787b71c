-- Every correction of a counter, moved here from the audit streams of the lanes. A line that is
-- moved twice is one row.
create table audit (
  id          bigint      generated always as identity primary key,
  lane        integer     not null,
  entry       text        not null,
  entity_type text        not null,
  entity_id   text        not null,
  cause       text        not null,
  before      json,
  after       json        not null,
  epoch       bigint      not null,
  seq         bigint      not null,
  at          timestamptz not null,
  unique (lane, entry)
);

create index audit_by_entity on audit (entity_type, entity_id, id desc);
