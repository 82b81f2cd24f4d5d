-- safe from 0066: adds a table.
create table payment_place (
  id       bigint      generated always as identity primary key,
  user_id  bigint      not null,
  taken_at timestamptz not null default clock_timestamp()
);
create index payment_place_user on payment_place (user_id);
comment on table payment_place is 'A payment that is being made: its place among the open ones is taken before its address is. One of a process that died counts for a minute.';
