-- Periodic jobs are rows that a process leases for a time, so that nothing depends on a session of the database.

-- After a crash, and on a standby that takes over, it must still be known when each is due: one of each day would run twice, or not at all.
alter table job set logged;
alter table job
  add column clock_time   text,
  add column due_at       timestamptz not null default clock_timestamp(),
  add column leased_by    text,
  add column leased_until timestamptz,
  add column took_seconds double precision,
  add column runs         bigint not null default 0;
comment on table job is 'Periodic jobs: when each is due, who runs it now, and how it fared in its last turn.';
comment on column job.clock_time is 'When it runs each day, as HH:MM in UTC; null: so many seconds after its last end.';
comment on column job.leased_by is 'The process that runs it; nobody else does before leased_until.';
comment on column job.leased_until is 'Renewed by that process for as long as it runs. A turn whose lease is over stops.';
comment on column job.took_seconds is 'How long its last turn took.';
