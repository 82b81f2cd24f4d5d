-- What who waits for a payment may see of it, what an operator has decided about its transfers, and rates that all processes share.

alter table chain_transfer
  add column sender       text,
  add column depth_now    integer check (depth_now >= 0),
  add column depth_wanted integer check (depth_wanted >= 0),
  add column disputed     numeric(78,0) check (disputed >= 0),
  add column decided_at   timestamptz;
comment on column chain_transfer.sender is 'Who sent it, in the canonical spelling, where the chain says it of one sender: for the operator who must give something back.';
comment on column chain_transfer.depth_now is 'How many blocks confirmed it when it was verified last; null where the chain counts none.';
comment on column chain_transfer.depth_wanted is 'How many blocks make it final.';
comment on column chain_transfer.disputed is 'Another amount than was read, which the chain told when it was verified: it is not credited then. Null when it agreed.';
comment on column chain_transfer.decided_at is 'When an operator decided about it; it is no reason for a review any more.';

create table rate_quote (
  coin    text        not null,
  source  text        not null,
  price   bigint      not null check (price > 0),
  in_usdt boolean     not null,
  told_at timestamptz not null,
  primary key (coin, source)
);
comment on table rate_quote is 'The last price that each public source told of each coin, so that all processes share one view and a restart has it.';
comment on column rate_quote.price is '10^-8 dollar for one whole coin, or 10^-8 USDT where the source counts in it.';
comment on column rate_quote.told_at is 'When the source says that it was the price; when it answered, where it does not say.';

create table rate_source (
  source      text        primary key,
  failures    integer     not null default 0,
  rests_until timestamptz,
  answered_at timestamptz,
  trouble     text,
  trouble_at  timestamptz
);
comment on table rate_source is 'How each source of rates is doing. One that fails is left alone for longer each time, also by a process that has just started.';

create table rate_point (
  coin text        not null,
  at   timestamptz not null,
  usd  bigint      not null check (usd > 0),
  primary key (coin, at)
);
comment on table rate_point is 'The agreed rate of each coin over the last minutes: a jump is a change against any of them.';

create table rate_hold (
  coin     text        primary key,
  since    timestamptz not null,
  from_usd bigint      not null check (from_usd > 0),
  to_usd   bigint      not null check (to_usd > 0)
);
comment on table rate_hold is 'Coins whose rate has jumped. They are not sold until an operator has looked and releases them.';
