-- People: who has an account, the codes that were mailed to them, what we have yet to send, and what keeps robots away.

create table users (
  id            bigint generated always as identity primary key,
  email         text        not null unique check (email = lower(email)),
  password_hash text        not null,
  token_hash    bytea       not null unique,
  token_sealed  bytea       not null,
  name          text        not null,
  avatar        smallint    not null default 0 check (avatar between 0 and 5),
  language      text        not null default 'en',
  activated_at  timestamptz,
  is_admin      boolean     not null default false,
  is_investor   boolean     not null default false,
  blocked_at    timestamptz,
  telegram_id   bigint      unique,
  referred_by   bigint,
  created_at    timestamptz not null default clock_timestamp()
);
comment on table users is 'One row for each person with an account; from the registration on, activated or not.';
comment on column users.password_hash is 'argon2id as a PHC string: it carries its own parameters.';
comment on column users.token_hash is 'Keyed hash by which the token of a call is found.';
comment on column users.token_sealed is 'The token itself, encrypted, so that its owner can read it again.';
comment on column users.language is 'In which we write to him: the language of the pages when he registered.';
comment on column users.activated_at is 'When he entered the code of the activation mail; before it he can neither see stock nor order.';
comment on column users.blocked_at is 'Since when an operator has closed the account: its token opens nothing.';
comment on column users.telegram_id is 'The messaging account that confirmed this one; one bonus for each, so it is unique.';
comment on column users.referred_by is 'The partner under whose link he registered and who earns from what he spends.';

create type code_purpose as enum ('activation', 'reset');

create table user_code (
  user_id    bigint       not null references users (id) on delete cascade,
  purpose    code_purpose not null,
  code_hash  bytea        not null,
  sent_at    timestamptz  not null,
  expires_at timestamptz  not null,
  tries_left smallint     not null check (tries_left >= 0),
  primary key (user_id, purpose)
);
comment on table user_code is 'The one living six-digit code of a user for each purpose; a new one takes its place, a used one is deleted.';
comment on column user_code.code_hash is 'Keyed hash: whoever reads this table cannot tell the code by trying a million of them.';

create type notice_kind as enum ('activation-code', 'reset-code');

create table notice (
  id         bigint generated always as identity primary key,
  kind       notice_kind not null,
  address    text        not null,
  language   text        not null,
  sealed     bytea,
  created_at timestamptz not null,
  due_at     timestamptz,
  tries      smallint    not null default 0,
  sent_at    timestamptz,
  failure    text
);
comment on table notice is
  'Mail that we send, written in the transaction of what it tells, so that neither is lost without the other.';
comment on column notice.sealed is 'What is filled into the text (a code), encrypted; wiped as soon as the notice is sent or given up.';
comment on column notice.due_at is 'When it is sent, or tried again: the row is the timer. Null when there is nothing left to do.';
comment on column notice.failure is 'What the last failed try said; with due_at null it was the last one.';
create index notice_due on notice (due_at) where due_at is not null;
create index notice_old on notice (created_at);

create table captcha_used (
  hash       bytea       primary key,
  expires_at timestamptz not null
);
comment on table captcha_used is 'Solved captchas that were accepted once, kept until they expire by themselves: each opens one door only.';
create index captcha_used_expiry on captcha_used (expires_at);

-- Unlogged: after a crash everybody starts at zero again, which costs nothing, and counting never waits for the disk.
create unlogged table limit_bucket (
  key     bytea       primary key,
  count   integer     not null,
  ends_at timestamptz not null
) with (fillfactor = 70);
comment on table limit_bucket is 'How often somebody did a guarded thing (log in, register, ask for a code) in the window that ends then; across all processes.';
comment on column limit_bucket.key is 'Keyed hash of the limit and of whom it counts: no addresses lie here.';
create index limit_bucket_end on limit_bucket (ends_at);
