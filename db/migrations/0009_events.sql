-- What happened to whom, for those who listen: open streams and webhooks.

create type event_kind as enum ('activation', 'letter', 'balance', 'payment');

create sequence event_id as bigint;

create table event (
  user_id    bigint      not null,
  id         bigint      not null default nextval('event_id'),
  at         timestamptz not null default clock_timestamp(),
  kind       event_kind  not null,
  order_id   bigint,
  letter_id  bigint,
  payment_id bigint,
  status     text,
  balance    bigint,
  primary key (user_id, id)
);
comment on table event is
  'One row for each thing that happened to a user who is listened for, written in the transaction in which it happened. '
  'It names what changed and holds no letter and no code: those are read when it is told. Kept for a day.';
comment on column event.id is
  'Grows for each user in the order of the commits, because who writes it holds the user''s balance account: the id after which a stream resumes.';
comment on column event.status is 'Of an activation: pending, received, canceled, expired. Of a payment: pending, confirmed, rejected. As it was then.';
comment on column event.balance is 'Of a balance: what it was after the change.';
create index event_old on event (at);

alter table buyer
  add column watched_since bigint,
  add column watched_until timestamptz not null default '-infinity';
comment on column buyer.watched_since is 'All events of this user with a greater id are in the table; null when he was never listened for.';
comment on column buyer.watched_until is
  'Until when his events are written: some minutes beyond the last open stream, for ever with a webhook. Nobody else costs a row.';
