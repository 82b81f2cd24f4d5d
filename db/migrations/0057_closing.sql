-- safe from 0056
-- What the nightly close has checked is stored as sums, so that an audit reads again only what came since.

create table closing (
  only_row    boolean     primary key default true check (only_row),
  closed_at   timestamptz not null,
  order_id    bigint      not null,
  transfer_id bigint      not null,
  letter_id   bigint      not null,
  open_day    date        not null
);
comment on table closing is
  'Up to which ids orders, transfers and letters are closed: they were checked together, and their sums are stored. No row: nothing is closed yet.';
comment on column closing.order_id is 'All orders up to this one had ended. What comes later for one of them is a new transfer.';
comment on column closing.open_day is 'The first day (UTC) of which no order is closed.';

create table closed_account (
  account_id bigint  primary key,
  credit     numeric not null,
  debit      numeric not null
);
comment on table closed_account is 'What the closed transfers moved on each account.';

create table closed_buyer (
  user_id bigint  primary key,
  count   integer not null,
  last    integer not null
);
comment on table closed_buyer is 'How many closed orders each buyer has, and the greatest number of them.';

create table closed_part (
  what       text        not null check (what in ('orders', 'transfer')),
  first_id   bigint      not null,
  last_id    bigint      not null,
  count      bigint      not null,
  sum        numeric     not null,
  checked_at timestamptz not null,
  primary key (what, first_id)
);
create index closed_part_checked on closed_part (what, checked_at);
comment on table closed_part is 'The closed rows in parts of at most 10,000 ids, with a sum over what must never change in them.';

create view transfer_print as
  select id, hash_record_extended(row (id, debit, credit, amount, order_id, at, kind::text, idempotency_key, reason), 0) as print
  from transfer;
comment on view transfer_print is 'A number for each transfer that changes with any of its columns.';

create view orders_print as
  select id, hash_record_extended(row (id, user_id, mailbox_id, price, created_at, closed_at, soft_id, reorder_of, site_id, domain_id,
                                       number, status::text, token_id), 0) as print
  from orders;
comment on view orders_print is 'A number for each order that changes with any column that is final once the order has ended.';
