-- What the log and Redis must still have between them when a lane is opened: the last epoch that
-- was opened, and the last one that was opened with a loss. 0 if none is known.
alter table lane_epoch
  add column opened bigint not null default 0,
  add column since  bigint not null default 0;
