-- The ledger: who owns money, every movement of it, and what each account moved on each day.
-- Every amount is a whole number of 10^-8 dollar.

create table account (
  id      bigint generated always as identity (start with 1000) primary key,
  user_id bigint,
  book    text   not null,
  balance bigint not null default 0 check (balance >= 0),
  constraint account_owner check ((id < 1000) = (user_id is null)),
  constraint account_book check (user_id is null or book in ('balance', 'referrals', 'soft', 'investor')),
  unique nulls not distinct (user_id, book)
) with (fillfactor = 60);
comment on table account is
  'One row for each owner of money and each purpose (book) he has money for. Accounts below 1000 are the shop''s own.';
comment on column account.user_id is
  'The owner; null for the shop''s own accounts. No foreign key: the row is touched by every order.';
comment on column account.balance is
  'What a user can spend or be paid; the check is the last guard against an overdraft. '
  'Always 0 for the shop''s accounts: they take part in every order, so one row would be a queue; their sums are in account_day.';

insert into account (id, user_id, book) overriding system value values
  (1, null, 'escrow'),
  (2, null, 'revenue'),
  (3, null, 'bonuses'),
  (4, null, 'adjustments'),
  (5, null, 'payouts'),
  (10, null, 'topup.sandbox'),
  (11, null, 'topup.ethereum'),
  (12, null, 'topup.bsc'),
  (13, null, 'topup.tron'),
  (14, null, 'topup.ton'),
  (15, null, 'topup.litecoin');

create type transfer_kind as enum (
  'hold',      -- buyer -> escrow: an order is placed
  'refund',    -- escrow -> buyer: it is canceled or expires
  'capture',   -- escrow -> revenue: its letter came, less the shares
  'referral',  -- escrow -> who brought the buyer
  'soft',      -- escrow -> whose program placed the order
  'investor',  -- escrow -> whose mailbox it was
  'topup',     -- gateway -> buyer: a payment was confirmed
  'bonus',     -- bonuses -> buyer
  'adjust',    -- adjustments <-> anyone, by an operator, with a reason
  'payout'     -- anyone -> payouts: paid outside of the shop
);

create table transfer (
  id              bigint generated always as identity primary key,
  debit           bigint not null,
  credit          bigint not null,
  amount          bigint not null check (amount > 0),
  order_id        bigint,
  at              timestamptz not null default clock_timestamp(),
  kind            transfer_kind not null,
  idempotency_key text,
  reason          text,
  check (debit <> credit)
);
comment on table transfer is
  'One row is one balanced double entry: the amount leaves debit and reaches credit. Rows are never changed or deleted.';
comment on column transfer.idempotency_key is 'The outside event this row stands for (a payment, a payout request): it happens once.';
comment on column transfer.reason is 'Why an operator did it, in his words.';

-- One hold, one refund, one capture … for an order, ever.
create unique index transfer_order_kind on transfer (order_id, kind) where order_id is not null;
-- One top-up for a payment, ever.
create unique index transfer_idempotency on transfer (kind, idempotency_key) where idempotency_key is not null;
-- Statements are read for people only; the shop's accounts would double the size of both.
create index transfer_debit on transfer (debit, id) where debit >= 1000;
create index transfer_credit on transfer (credit, id) where credit >= 1000;

create view entry as
  select id as transfer_id, debit as account_id, -amount as amount, kind, order_id, at from transfer
  union all
  select id, credit, amount, kind, order_id, at from transfer;
comment on view entry is 'The ledger as accountants write it: two signed rows for each transfer.';

create table account_day (
  account_id bigint   not null,
  day        date     not null,
  shard      smallint not null default 0,
  credit     bigint   not null default 0,
  debit      bigint   not null default 0,
  count      integer  not null default 0,
  primary key (account_id, day, shard)
) with (fillfactor = 60);
comment on table account_day is
  'What an account moved on a day (UTC): the balances of the shop''s accounts and the daily charts of partners and investors, without reading the ledger.';
comment on column account_day.shard is
  'Orders running side by side add to different rows of a shop account, so that they need not wait for one another; 0 for people.';
