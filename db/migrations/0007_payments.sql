-- Payments: what buyers were asked to pay for a top-up, and what the chains showed at the addresses they were given.
-- Made for nine currencies on five chains; the sandbox is one more chain, whose payer is played by an administrator.
-- Amounts of coins are whole numbers of the coin's smallest unit (wei, sun, nanoton …): 18 decimals do not fit a bigint.

create type payment_state as enum (
  'awaiting',        -- nothing was seen
  'underpaid',       -- less than enough was seen
  'confirming',      -- enough was seen, not all of it is final
  'review',          -- an operator must look: another coin, no rate for a late one, or a credited transfer vanished
  'credited',        -- money was credited; what still comes is credited too
  'expired',         -- nothing came in time; what comes later is credited at the rate of its arrival
  'expired_partial', -- too little came to be credited
  'rejected'         -- by an operator
);

create table address_counter (
  family     text   primary key,
  next_index bigint not null default 0
);
comment on table address_counter is
  'The next unused address of each key family (evm, tron, ton, litecoin, sandbox). Ethereum and BSC share the evm keys, so they share the '
  'counter: money sent on the wrong one of both is still found at an address that belongs to one payment.';

create table payment (
  id            bigint        generated always as identity (start with 30000000001) primary key,
  user_id       bigint        not null,
  currency      text          not null,
  chain         text          not null,
  usd           bigint        not null check (usd > 0),
  due           numeric(78,0) not null check (due > 0),
  rate          bigint        not null check (rate > 0),
  rate_source   text          not null,
  family        text          not null references address_counter (family),
  address_index bigint        not null,
  address       text          not null,
  canonical     text          not null,
  state         payment_state not null default 'awaiting',
  received      numeric(78,0) not null default 0 check (received >= 0),
  credited      bigint        not null default 0 check (credited >= 0),
  created_at    timestamptz   not null,
  expires_at    timestamptz   not null check (expires_at > created_at),
  judge_at      timestamptz,
  unique (family, address_index),
  unique (family, canonical)
) with (fillfactor = 70);
comment on table payment is 'One request to top up: so much of a currency to an address of its own, at a rate that is locked until it expires.';
comment on column payment.id is 'Above 2^32 from the first: clients that keep 32 bits would fail at once and not later.';
comment on column payment.usd is 'What the user asked to have credited, in 10^-8 dollar.';
comment on column payment.due is 'What he was asked to pay, in smallest units, rounded up to the decimals that the page shows.';
comment on column payment.rate is 'The locked rate: 10^-8 dollar for one whole coin.';
comment on column payment.rate_source is 'Where the rate came from, for the day somebody doubts it.';
comment on column payment.address is 'The address as the payer reads it.';
comment on column payment.canonical is 'The same place in the one spelling that the chain''s transfers are compared with.';
comment on column payment.received is 'The sum of the living transfers in the asked currency, final or not: what the page names as received.';
comment on column payment.judge_at is
  'When it must be judged again: the row is the timer. Set to the present when its chain shows something new; null while only the chain can bring news.';
-- The addresses that a chain is searched for.
create index payment_watched on payment (family, created_at);
create index payment_due on payment (chain, judge_at) where judge_at is not null;
create index payment_of_user on payment (user_id, id);

create table chain_transfer (
  chain        text          not null,
  txid         text          not null,
  idx          text          not null,
  payment_id   bigint        not null references payment (id),
  currency     text          not null,
  amount       numeric(78,0) not null check (amount > 0),
  block_height bigint,
  block_hash   text,
  block_at     timestamptz,
  first_seen   timestamptz   not null,
  alive        boolean       not null default true,
  confirmed_at timestamptz,
  usd          bigint        check (usd >= 0),
  primary key (chain, txid, idx),
  check (usd is null or confirmed_at is not null)
);
comment on table chain_transfer is
  'What a chain showed at a payment''s address. The key is the chain''s own name for it, so that it is there once, however often it is seen.';
comment on column chain_transfer.idx is
  'Which part of the transaction: the ordinal of the log inside the transaction (never inside the block: that one changes in a reorganisation), an output number, or "native".';
comment on column chain_transfer.currency is 'What arrived; it may be another coin than the payment asked for.';
comment on column chain_transfer.block_at is 'When its block was made; null while it waits in the mempool.';
comment on column chain_transfer.alive is 'False when it left the best chain. Rows are never deleted.';
comment on column chain_transfer.confirmed_at is 'When the chain said that it is final, with the same amount.';
comment on column chain_transfer.usd is 'What was credited for it; null before.';
create index chain_transfer_payment on chain_transfer (payment_id);
create index chain_transfer_open on chain_transfer (chain) where alive and confirmed_at is null;
create index chain_transfer_height on chain_transfer (chain, block_height);

create table chain_cursor (
  chain      text        primary key,
  cursor     text,
  height     bigint,
  scanned_at timestamptz
);
comment on table chain_cursor is
  'How far each chain was read. It moves in the transaction that stores what was found up to there: neither can be kept without the other.';

create table payment_event (
  id         bigint      generated always as identity primary key,
  payment_id bigint      not null references payment (id),
  at         timestamptz not null,
  what       text        not null,
  detail     jsonb       not null default '{}'
);
create index payment_event_payment on payment_event (payment_id, id);
comment on table payment_event is 'The history of each payment, for the operator who must explain one. Only ever added to.';

create table sandbox_transfer (
  id       bigint        generated always as identity primary key,
  address  text          not null,
  currency text          not null,
  amount   numeric(78,0) not null check (amount > 0),
  paid_at  timestamptz   not null,
  paid_by  text          not null
);
create index sandbox_transfer_address on sandbox_transfer (address);
comment on table sandbox_transfer is 'The sandbox chain itself: each row is a transfer that an operator made in the payer''s place.';
