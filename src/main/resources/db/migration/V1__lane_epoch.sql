-- The last epoch claimed in each lane. It must outlive Redis: an epoch is never given twice.
create table lane_epoch (
  lane  integer primary key,
  epoch bigint  not null
);
