-- safe from 0066: adds tables that an older release does not read.
-- What a person proves itself with beside the password (docs/decisions/101).
create table user_factor (
  id            bigint      primary key,
  user_id       bigint      not null references users (id) on delete cascade,
  kind          text        not null check (kind in ('passkey', 'app')),
  name          text        not null,
  public_key    bytea,
  secret        bytea,
  counter       bigint      not null,
  credential_id text        unique,
  transports    text[]      not null default '{}',
  created_at    timestamptz not null,
  used_at       timestamptz
);
comment on table user_factor is 'Passkeys and authenticator apps of an account. While it has one, its password alone opens nothing.';
comment on column user_factor.id is 'Random, as those of sessions.';
comment on column user_factor.public_key is 'Of a passkey.';
comment on column user_factor.secret is 'Of an app, sealed.';
comment on column user_factor.counter is 'Of a passkey its signature counter; of an app the last 30 seconds whose code was used. Neither goes back.';
comment on column user_factor.transports is 'How the browser reaches a passkey, as the browser said.';
create index user_factor_user on user_factor (user_id);
create unique index user_factor_app on user_factor (user_id) where kind = 'app';

create table user_recovery_code (
  id         bigint      primary key,
  user_id    bigint      not null references users (id) on delete cascade,
  hash       bytea       not null,
  created_at timestamptz not null
);
comment on table user_recovery_code is 'What opens an account in the place of a lost factor, each until it is used.';
comment on column user_recovery_code.hash is 'A hash of the code, sealed: so it passes to another key, which a keyed hash cannot.';
create index user_recovery_code_user on user_recovery_code (user_id);

create table user_challenge (
  id         bigint      primary key,
  hash       bytea       not null unique,
  user_id    bigint      references users (id) on delete cascade,
  purpose    text        not null check (purpose in ('add', 'enter', 'sign in', 'prove')),
  sealed     bytea,
  expires_at timestamptz not null
);
comment on table user_challenge is 'What a browser must answer with a factor, or a password that waits for one. Only a keyed hash is kept; used up by one right answer.';
comment on column user_challenge.user_id is 'Null: a passkey that is asked without a password names its account itself.';
comment on column user_challenge.sealed is 'The secret of an app that is being added.';
create index user_challenge_expires on user_challenge (expires_at);
