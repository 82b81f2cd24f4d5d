-- safe from 0066: adds tables.
-- What the office shows of a period, added up by hour, so that no page scans orders. Programs of the release before go on with shop_day.
create table shop_hour (
  hour          timestamptz primary key,
  registrations bigint not null default 0,
  letters       bigint not null default 0,
  orders        bigint not null default 0,
  refunds       bigint not null default 0,
  refunded      bigint not null default 0,
  revenue       bigint not null default 0,
  top_ups       bigint not null default 0
);
comment on table shop_hour is
  'How many registered, how many letters came, how many orders were placed, and what was refunded, earned and topped up in an hour. '
  'Hours of more than 62 days ago are added up to the first of their day (UTC).';

create table shop_outcome (
  since timestamptz not null,
  class smallint    not null,
  count bigint      not null,
  primary key (since, class)
);
comment on table shop_outcome is 'The sums of outcome over all sites and mail domains, kept for ever: by hour, and of more than 62 days ago by day.';

create table shop_hour_mark (
  only_row       boolean     primary key default true check (only_row),
  users_to       bigint      not null,
  users_seen     bigint      not null,
  letters_to     bigint      not null,
  letters_seen   bigint      not null,
  orders_to      bigint      not null,
  orders_seen    bigint      not null,
  transfers_to   bigint      not null,
  transfers_seen bigint      not null,
  seen_at        timestamptz not null,
  seen_xid       xid8        not null,
  settled_at     timestamptz not null,
  outcomes_to    timestamptz not null
);
comment on table shop_hour_mark is
  'Up to which ids shop_hour counts (…_to), and which were the highest when it was counted last (…_seen). What is newer is counted by who reads.';
comment on column shop_hour_mark.seen_xid is
  'The next transaction when it was seen: once all before it have ended, every row with such an id is there or never will be.';
comment on column shop_hour_mark.settled_at is 'What was written before this is counted.';
comment on column shop_hour_mark.outcomes_to is 'Up to when outcome is added up; the hours around it are added up anew.';

-- The newest ids may not be committed yet, so they are left to the job.
insert into shop_hour_mark
  select true, least(d.users_to, u.id), u.id, least(d.letters_to, l.id), l.id, o.id - 1000000, o.id, t.id - 1000000, t.id,
         clock_timestamp(), pg_snapshot_xmax(pg_current_snapshot()), '-infinity', clock_timestamp() - interval '16 days'
  from shop_day_mark d,
       (select coalesce(max(id), 0) as id from users) u, (select coalesce(max(id), 0) as id from letter) l,
       (select coalesce(max(id), 0) as id from orders) o, (select coalesce(max(id), 0) as id from transfer) t;

-- Registrations and letters by day, but for those of the last days by hour. Letters of older days are deleted, so their sums are all there is.
insert into shop_hour (hour, registrations, letters)
  select day::timestamp at time zone 'UTC', registrations, letters from shop_day
  where day < (clock_timestamp() at time zone 'UTC')::date - 2;
insert into shop_hour as old (hour, registrations, letters, orders, refunds, refunded, revenue, top_ups)
  select hour, sum(registrations), sum(letters), sum(orders), sum(refunds), sum(refunded), sum(revenue), sum(top_ups)
  from (
    select date_trunc('hour', u.created_at, 'UTC') as hour, count(*) as registrations, 0 as letters, 0 as orders, 0 as refunds,
           0 as refunded, 0 as revenue, 0 as top_ups
    from users u, shop_hour_mark m
    where u.id <= m.users_to and (u.created_at at time zone 'UTC')::date >= (clock_timestamp() at time zone 'UTC')::date - 2 group by 1
    union all
    select date_trunc('hour', l.arrived_at, 'UTC'), 0, count(*), 0, 0, 0, 0, 0 from letter l, shop_hour_mark m
    where l.id <= m.letters_to and (l.arrived_at at time zone 'UTC')::date >= (clock_timestamp() at time zone 'UTC')::date - 2 group by 1
    union all
    select date_trunc('hour', o.created_at, 'UTC'), 0, 0, count(*), 0, 0, 0, 0 from orders o, shop_hour_mark m
    where o.id <= m.orders_to group by 1
    union all
    select date_trunc('hour', t.at, 'UTC'), 0, 0, 0, count(*) filter (where t.kind = 'refund'),
           coalesce(sum(t.amount) filter (where t.kind = 'refund'), 0),
           coalesce(sum(case when t.credit = 2 then t.amount when t.debit = 2 then -t.amount end), 0),
           coalesce(sum(t.amount) filter (where t.kind = 'topup'), 0)
    from transfer t, shop_hour_mark m
    where t.id <= m.transfers_to and (t.kind in ('refund', 'topup') or 2 in (t.debit, t.credit)) group by 1) counted
  group by hour
  on conflict (hour) do update
    set registrations = old.registrations + excluded.registrations, letters = old.letters + excluded.letters,
        orders = old.orders + excluded.orders, refunds = old.refunds + excluded.refunds, refunded = old.refunded + excluded.refunded,
        revenue = old.revenue + excluded.revenue, top_ups = old.top_ups + excluded.top_ups;

create table shop_week (
  only_row boolean     primary key default true check (only_row),
  made_at  timestamptz not null,
  sites    jsonb       not null,
  domains  jsonb       not null,
  stock    jsonb       not null
);
comment on table shop_week is
  'What the overview of the office says of the week before made_at: the sites and mail domains whose orders changed most, and the stock that runs out first.';
