-- Tokens that an account makes for one program: they order and read, within limits of their own.

create table user_token (
  id         bigint generated always as identity primary key,
  user_id    bigint      not null references users (id) on delete cascade,
  name       text        not null,
  token_hash bytea       not null unique,
  sites      integer[],
  price_max  bigint      check (price_max > 0),
  budget_day bigint      check (budget_day > 0),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index user_token_user on user_token (user_id);
comment on table user_token is 'A token with limits. Only its hash is kept: it is shown once, when it is made.';
comment on column user_token.sites is 'Sites that it may order for; null for every site.';
comment on column user_token.price_max is 'The highest price of one order; null for any.';
comment on column user_token.budget_day is 'What it may spend on one day (UTC), less what was refunded of that day; null without a limit.';

create table user_token_day (
  token_id bigint not null,
  day      date   not null,
  spent    bigint not null default 0,
  primary key (token_id, day)
);
comment on table user_token_day is
  'What a token spent on a day. Changed only by who holds the balance account of its user, so it needs no lock of its own.';

alter table orders add column token_id bigint;
comment on column orders.token_id is 'The limited token that placed the order; null for the account''s own token.';
