-- What the back office reads: figures of days that nobody has to add up, how periodic jobs fare, and the ways to a page of each table.

alter table account_day add column unserved integer not null default 0;
comment on column account_day.unserved is
  'Of the escrow account: how many orders ended without a letter, canceled or expired. What it counts is placed orders, and that of revenue received ones.';
insert into account_day as old (account_id, day, unserved)
  select 1, (closed_at at time zone 'UTC')::date as day, count(*)
  from orders where status in ('canceled', 'expired') and closed_at is not null group by day
  on conflict (account_id, day, shard) do update set unserved = excluded.unserved;

create table shop_day (
  day           date   primary key,
  registrations bigint not null default 0,
  letters       bigint not null default 0
);
comment on table shop_day is 'What is counted of a day (UTC) and has no sum in account_day: how many have registered, and how many letters came.';

create table shop_day_mark (
  only_row     boolean     primary key default true check (only_row),
  users_to     bigint      not null,
  users_seen   bigint      not null,
  letters_to   bigint      not null,
  letters_seen bigint      not null,
  seen_at      timestamptz not null
);
comment on table shop_day_mark is
  'Up to which ids shop_day counts (…_to), and which were the highest when it was counted last (…_seen): what had an id then is there by now or never, '
  'so those are counted next. What is newer is counted by who reads.';

insert into shop_day (day, registrations)
  select (created_at at time zone 'UTC')::date as day, count(*) from users group by day;
insert into shop_day as old (day, letters)
  select (arrived_at at time zone 'UTC')::date as day, count(*) from letter group by day
  on conflict (day) do update set letters = excluded.letters;
insert into shop_day_mark (users_to, users_seen, letters_to, letters_seen, seen_at)
  select u.id, u.id, l.id, l.id, clock_timestamp()
  from (select coalesce(max(id), 0) as id from users) u, (select coalesce(max(id), 0) as id from letter) l;

-- Unlogged: after a crash all jobs are as if they had never run, until they have, some seconds later; and nobody waits for the disk.
create unlogged table job (
  name      text             primary key,
  seconds   double precision not null,
  began_at  timestamptz,
  ended_at  timestamptz,
  failures  integer          not null default 0,
  error     text,
  error_at  timestamptz
) with (fillfactor = 50);
comment on table job is 'Periodic jobs, and how each fared in its last turn, in whichever process that was.';
comment on column job.failures is 'Turns that have failed since the last one that did its work.';

-- Few have such a flag, and they are what is looked for.
create index users_admin on users (id) where is_admin;
create index users_investor on users (id) where is_investor;
create index users_blocked on users (id) where blocked_at is not null;
create index users_inactive on users (id) where activated_at is null;
create index users_active on users (id) where activated_at is not null;

-- By how they begin: in the order of bytes, whatever the language of the database.
create index users_email_begins on users (email text_pattern_ops);
create index site_name_begins on site (name text_pattern_ops);
create index site_blocked on site (name) where blocked;

create index payment_usd on payment (usd, id);
create index payment_state on payment (state, id);
create index payment_currency on payment (currency, id);
create index payment_address on payment (address);

drop index audit_log_about;
create index audit_log_about on audit_log (about text_pattern_ops, id);
create index audit_log_by on audit_log (by text_pattern_ops, id);
create index audit_log_did on audit_log (did text_pattern_ops, id);

-- Books of earnings, without the balances, of which everybody has one. Neither column ever changes: no update has to write it.
create index account_earning on account (user_id, book) where book <> 'balance' and user_id is not null;
