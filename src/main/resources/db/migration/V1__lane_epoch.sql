-- How many lanes the data was created with: one row. It outlives Redis.
create table lane_count (
  one   boolean primary key default true check (one),
  lanes integer not null
);

-- The last epoch claimed in each lane. It must outlive Redis: an epoch is never given twice.
create table lane_epoch (
  lane  integer primary key,
  epoch bigint  not null
);
