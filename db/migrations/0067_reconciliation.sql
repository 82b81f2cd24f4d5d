-- safe from 0066: adds tables alone.
-- A second look at the money: what an address holds by its chain, against the transfers that the watcher recorded.

create table address_balance (
  payment_id   bigint        not null references payment (id),
  chain        text          not null,
  currency     text          not null,
  balance      numeric(78,0) not null,
  base         numeric(78,0) not null default 0,
  unexplained  numeric(78,0) not null default 0 check (unexplained >= 0),
  since        timestamptz,
  asked_at     timestamptz   not null,
  explained_at timestamptz,
  primary key (payment_id, chain, currency)
);
comment on table address_balance is
  'The balance of an address as last seen, in each currency of each chain that it is watched on. Addresses where nothing ever stood have no row.';
comment on column address_balance.base is
  'Balance minus recorded transfers that needs no explanation: below zero once money was moved out, above by what is worth less than a dollar.';
comment on column address_balance.unexplained is 'A rise above that which no recorded transfer explains. Zero once one does, or the payment is under review for it.';
comment on column address_balance.since is 'When that rise was seen first.';
comment on column address_balance.explained_at is 'When it was explained last: a search begins there. Null before the first time.';
create index address_balance_unexplained on address_balance (chain) where unexplained > 0;

create table reconciliation (
  chain     text        not null,
  round     text        not null check (round in ('open', 'month', 'all', 'command')),
  began_at  timestamptz not null,
  before_at timestamptz,
  after_id  bigint,
  ended_at  timestamptz,
  addresses bigint      not null default 0,
  asked     bigint      not null default 0,
  primary key (chain, round)
);
comment on table reconciliation is 'How far each round over the addresses of a chain is, and what it has counted so far.';
comment on column reconciliation.after_id is 'The last payment that was looked at; null between two rounds.';
comment on column reconciliation.before_at is 'When the round before began, which has looked at every address that there was.';
comment on column reconciliation.ended_at is 'When the last round that came to its end did.';
