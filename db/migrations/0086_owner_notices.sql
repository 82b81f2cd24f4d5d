-- safe from 0066: adds a table, and a column with a default.
-- The owner of an account is told what opens it, or changes who may enter it; each mail has a link "this was not me".
create table owner_notice (
  id         bigint      generated always as identity primary key,
  user_id    bigint      not null references users (id) on delete cascade,
  kind       text        not null,
  address    text        not null,
  language   text        not null,
  sealed     bytea,
  times      integer     not null default 1,
  link_hash  bytea       unique,
  created_at timestamptz not null,
  due_at     timestamptz,
  tries      smallint    not null default 0,
  sent_at    timestamptz,
  failure    text
);
comment on table owner_notice is
  'Mail to the owner of an account, a queue as notice is. It is apart because a program of the release before takes every row of that table and cannot write these.';
comment on column owner_notice.kind is 'A text, and senders take the kinds that they know: a new kind needs no migration.';
comment on column owner_notice.times is 'How often it happened: while the mail waits for its time, the same again is told in it.';
comment on column owner_notice.link_hash is 'Keyed hash of the secret of the link; null once a link of the account was used, or a new password was set.';
comment on column owner_notice.created_at is 'When it is first to be told: at once, or an hour after the one before it. The life of its link begins then.';
create index owner_notice_due on owner_notice (due_at) where due_at is not null;
create index owner_notice_old on owner_notice (created_at);
create index owner_notice_user on owner_notice (user_id, kind, created_at);

alter table user_mark add column home boolean not null default true;
comment on column user_mark.home is 'Of a network address: whether the owner is at home there. False after "this was not me", until the next sign-in from there.';
