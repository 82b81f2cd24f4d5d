-- safe from 0066: adds a table.
-- One queue of everything that waits (docs/decisions/096).
create table task (
  id           bigint      generated always as identity primary key,
  queue        text        not null,
  kind         text        not null,
  key          text        not null,
  user_id      bigint,
  ref          text,
  payload      jsonb,
  created_at   timestamptz not null default now(),
  due_at       timestamptz,
  leased_until timestamptz,
  tries        integer     not null default 0,
  failure      text,
  done_at      timestamptz
);
comment on table task is
  'Work that waits: mail, messages of the bot, letters of the sandbox. Written in the transaction of what it is about; kept for a week once it is done or given up.';
comment on column task.kind is 'Programs take the kinds that they know: a new kind needs no migration, and a program of the release before leaves it alone.';
comment on column task.key is 'What tasks of a queue share, as a host or a chat: how many of one key run at a time is bounded, and the operator stops or repeats all of a key.';
comment on column task.user_id is 'The account that it is about, if it is about one.';
comment on column task.ref is 'What it is about: of one thing a queue has one task.';
comment on column task.payload is 'What its program needs; secrets in it are sealed. Null once it is done, and where it must not be tried again.';
comment on column task.due_at is 'When it runs, or is tried again: the row is the timer. Null when it is done or given up.';
comment on column task.leased_until is 'A process runs it until then; one that dies leaves it to be taken again, or, where it may have been done, to be given up.';
comment on column task.failure is 'What the last failed try said; with due_at null it was the last one.';
create unique index task_ref on task (queue, ref) where ref is not null;
create index task_due on task (queue, due_at) where due_at is not null;
create index task_open on task (queue, key, due_at) where done_at is null;
create index task_old on task (created_at) where due_at is null;
