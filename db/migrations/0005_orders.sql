-- Orders: one row for each address that a buyer ordered for a site ("activation" on the wire).

create type order_status as enum ('pending', 'received', 'canceled', 'expired');

create table buyer (
  user_id      bigint  primary key,
  orders_count integer not null default 0,
  gone_count   integer not null default 0,
  revision     bigint  not null default 0
) with (fillfactor = 60);
comment on table buyer is
  'What is counted for a user as a buyer. Changed only by who holds the lock of his balance account, so it needs no lock of its own.';
comment on column buyer.orders_count is 'The number of his newest order: numbers have no gap, so page 1,000 costs what page 1 costs.';
comment on column buyer.gone_count is 'How many of them are no longer in his list of activations.';
comment on column buyer.revision is 'Grows at each change that a poll must see: an unchanged list is answered by one look-up.';

create table buyer_gap (
  user_id bigint  not null,
  block   integer not null,
  gone    integer not null default 0,
  primary key (user_id, block)
);
comment on table buyer_gap is
  'For each 256 orders of a buyer (block = number / 256), how many are gone from his list of activations. '
  'With it a far page finds its block by adding up a few counters and reads at most 256 rows too many; placing an order writes nothing here.';

create table orders (
  id              bigint generated always as identity (start with 40000000001) primary key,
  user_id         bigint       not null,
  mailbox_id      bigint       not null,
  price           bigint       not null check (price > 0),
  created_at      timestamptz  not null,
  expires_at      timestamptz  not null,
  closed_at       timestamptz,
  soft_id         bigint,
  reorder_of      bigint,
  site_id         integer      not null,
  domain_id       integer      not null,
  number          integer      not null,
  status          order_status not null default 'pending',
  hidden          boolean      not null default false,
  subject         text,
  regex           text,
  idempotency_key text check (length(idempotency_key) <= 255)
) with (fillfactor = 85);
comment on table orders is 'One address ordered for one site, from the hold of its price to the letter or the refund.';
comment on column orders.id is 'Above 2^32 from the first: clients that keep 32 bits would fail at once and not later.';
comment on column orders.number is '1, 2, 3 … for each buyer, without a gap.';
comment on column orders.soft_id is 'The user whose program placed the order and earns from it.';
comment on column orders.reorder_of is
  'The received order whose mailbox is used again. Such an order takes nothing from the stock and gives nothing back: the first one holds the mailbox for good.';
comment on column orders.hidden is 'Received, and then taken from the list of activations by its buyer; the history keeps it.';
comment on column orders.closed_at is 'When it was canceled or expired, or when its first letter came.';
comment on column orders.subject is 'A word that the letter''s subject must hold.';
comment on column orders.regex is 'A pattern that the letter''s text must match.';
comment on column orders.idempotency_key is 'The caller''s name for this order: for 24 hours the same name answers this order again.';

create unique index orders_number on orders (user_id, number);
create unique index orders_idempotency on orders (user_id, idempotency_key) where idempotency_key is not null;
-- A mailbox once for a site: the last guard, should the counting ever be wrong.
create unique index orders_once on orders (mailbox_id, site_id) where status in ('pending', 'received') and reorder_of is null;
-- At most one reorder waits for a letter; orders_once and "only a received order can be reordered" do the rest.
create unique index orders_reorder_once on orders (mailbox_id, site_id) where status = 'pending' and reorder_of is not null;
-- Finds the living reorders of a mailbox when a letter comes.
create index orders_reordered on orders (mailbox_id, site_id) where status in ('pending', 'received') and reorder_of is not null;
create index orders_expiry on orders (expires_at) where status = 'pending';
create index orders_listed on orders (user_id, number) where status in ('pending', 'received') and not hidden;
