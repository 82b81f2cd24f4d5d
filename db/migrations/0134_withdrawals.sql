-- safe from 0066: adds a table, names of accounts and a kind of transfer, which are used where WITHDRAWALS is on.
-- Partners and investors ask for what they earned; the sum is in an account of their own until it is paid (docs/decisions/118).
alter table account
  drop constraint account_book,
  add constraint account_book check (
    user_id is null or book in ('balance', 'referrals', 'soft', 'investor', 'referrals.held', 'soft.held', 'investor.held',
                                'referrals.asked', 'soft.asked', 'investor.asked')) not valid;

-- referrals -> referrals.asked when it is asked for, and back when it is canceled or refused; so of each book
alter type transfer_kind add value if not exists 'withdraw';

create table withdrawal (
  id         bigint        primary key default (random() * 140737488355327)::bigint,
  user_id    bigint        not null references users (id),
  book       text          not null check (book in ('referrals', 'soft', 'investor')),
  amount     bigint        not null check (amount > 0),
  currency   text          not null,
  chain      text          not null,
  units      numeric(78,0) not null check (units > 0),
  rate       bigint        not null check (rate > 0),
  address    text          not null,
  canonical  text          not null,
  key        text,
  asked_at   timestamptz   not null,
  state      text          not null default 'waiting' check (state in ('waiting', 'sent', 'paid', 'refused', 'canceled')),
  txid       text,
  checked    boolean       not null default false,
  sent_by    text,
  sent_at    timestamptz,
  found      text,
  reason     text,
  closed_at  timestamptz,
  constraint withdrawal_closed check ((closed_at is not null) = (state in ('paid', 'refused', 'canceled'))),
  constraint withdrawal_sent check (state not in ('sent', 'paid') or txid is not null)
);
comment on table withdrawal is
  'What partners and investors ask to be paid. While it waits or is sent, the sum is in the account of the user whose book ends in ".asked", by the transfer with the key "withdrawal" and its id.';
comment on column withdrawal.id is 'Random: counted ones would tell how many there are.';
comment on column withdrawal.chain is 'The chain of the currency, on which ids of transactions are unique.';
comment on column withdrawal.units is 'Smallest units of the coin: what the dollars were worth at the rate when it was asked for.';
comment on column withdrawal.canonical is 'The address in the one spelling that transfers of the chain are compared with.';
comment on column withdrawal.key is 'The caller''s name for it: the same name answers this one again.';
comment on column withdrawal.txid is 'The transaction that the operator entered; null again where the chain shows that it is none.';
comment on column withdrawal.checked is 'The chain was asked about the transaction.';
comment on column withdrawal.found is 'What the last look at the chain found, where it was not as it should be: a refusal of the contract.';
create unique index withdrawal_transaction on withdrawal (chain, txid, canonical) where txid is not null;
create unique index withdrawal_key on withdrawal (user_id, key) where key is not null;
create index withdrawal_user on withdrawal (user_id, asked_at);
create index withdrawal_open on withdrawal (asked_at) where closed_at is null;
