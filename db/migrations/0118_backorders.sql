-- safe from 0066: adds a table, and a column that may be null.
-- Orders that wait for stock: nothing is held; a job places them, the oldest first, when there is stock again.
create table backorder (
  id         bigint      primary key default (random() * 140737488355327)::bigint,
  user_id    bigint      not null references users (id) on delete cascade,
  token_id   bigint,
  site_id    integer     not null,
  domains    integer[]   not null check (cardinality(domains) > 0),
  price_max  bigint      not null check (price_max > 0),
  subject    text,
  regex      text,
  note       text,
  soft_id    bigint,
  key        text,
  created_at timestamptz not null,
  until      timestamptz not null,
  state      text        not null default 'waiting' check (state in ('waiting', 'placed', 'ended', 'removed')),
  refused    text,
  tried_at   timestamptz,
  closed_at  timestamptz,
  order_id   bigint
);
comment on table backorder is
  'Orders that wait for stock. The process that places one holds its row meanwhile; the order has a key of it, so that a crash in between places nothing twice.';
comment on column backorder.id is 'Random: counted ones would tell how many there are.';
comment on column backorder.token_id is 'The limited token that asked; its limits hold when the order is placed.';
comment on column backorder.domains is 'Wanted mail domains, tried in this order.';
comment on column backorder.key is 'The caller''s name for it: the same name answers this one again.';
comment on column backorder.refused is 'Why it was not placed though there was stock: a refusal of the contract. The owner is told once for each reason.';
comment on column backorder.tried_at is 'When it was refused last; it is tried again a minute later.';
create index backorder_waiting on backorder (created_at, id) where state = 'waiting';
create index backorder_user on backorder (user_id, created_at);
create unique index backorder_key on backorder (user_id, key) where key is not null;
create index backorder_closed on backorder (closed_at) where closed_at is not null;

alter table event add column backorder_id bigint;
comment on column event.status is
  'Of an activation: pending, received, canceled, expired. Of a payment: pending, confirmed, rejected. Of a refund: its reason. Of a backorder: its state, and why it was not placed. As it was then.';
