-- safe from 0066: adds a table that an older release does not read.
-- A sign-in in a browser has a token of its own (docs/decisions/099).
create table user_session (
  id         bigint      primary key,
  user_id    bigint      not null references users (id) on delete cascade,
  token_hash bytea       not null unique,
  way        text        not null,
  place      bytea       not null,
  created_at timestamptz not null,
  used_at    timestamptz not null,
  proved_at  timestamptz not null
);
comment on table user_session is 'What a sign-in opened, until it ends: then its row is gone. Only the keyed hash of its token is kept.';
comment on column user_session.id is 'Random: counted ones would tell how many people sign in.';
comment on column user_session.way is 'How the person signed in: password, registration, passkey.';
comment on column user_session.place is 'Sealed: the program of the sign-in and the network of the last use, as JSON.';
comment on column user_session.used_at is 'Written every five minutes at most. A session that is not used for thirty days has ended.';
comment on column user_session.proved_at is 'When the person last proved who it is, by signing in or when asked again.';
create index user_session_user on user_session (user_id);
create index user_session_used on user_session (used_at);
