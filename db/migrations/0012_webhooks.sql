-- Programs that want to be told instead of asking: where their events are sent, and what became of each.

create table webhook (
  id                  bigint       generated always as identity primary key,
  user_id             bigint       not null references users (id) on delete cascade,
  url                 text         not null,
  host                text         not null,
  events              event_kind[] not null check (cardinality(events) > 0),
  secret              bytea        not null,
  secret_before       bytea,
  secret_before_until timestamptz,
  told_up_to          bigint       not null,
  failures            integer      not null default 0,
  failing_since       timestamptz,
  rests_until         timestamptz,
  disabled_at         timestamptz,
  disabled_reason     text,
  created_at          timestamptz  not null
) with (fillfactor = 70);
create index webhook_user on webhook (user_id);
comment on table webhook is 'An address to which an account lets its events be sent, signed by Standard Webhooks.';
comment on column webhook.host is 'The host of the address: how many requests one host gets at a time is bounded.';
comment on column webhook.secret is 'What messages are signed with, sealed.';
comment on column webhook.secret_before is 'The secret before the last, sealed; until then messages are signed with it too.';
comment on column webhook.told_up_to is 'All events of its user up to this id have become deliveries, or are of no kind that it wants.';
comment on column webhook.failures is 'Tries that failed one after another, over all its deliveries; 0 as soon as one is accepted.';
comment on column webhook.failing_since is 'When the first of them failed: after some days the webhook is switched off.';
comment on column webhook.rests_until is 'An address that fails again and again is left alone until then, so that it does not cost each of its deliveries a timeout.';
comment on column webhook.disabled_at is 'Since when nothing is sent; with a reason when it was not switched off by hand.';

create table webhook_delivery (
  id            bigint      generated always as identity (start with 50000000001) primary key,
  webhook_id    bigint      not null references webhook (id) on delete cascade,
  event_id      bigint,
  event         text        not null,
  message_id    text        not null,
  body          bytea,
  created_at    timestamptz not null,
  due_at        timestamptz,
  sending_until timestamptz,
  tries         smallint    not null default 0,
  http_status   smallint,
  failure       text,
  done_at       timestamptz,
  delivered     boolean     not null default false,
  unique (webhook_id, event_id),
  check ((due_at is null) = (done_at is not null))
);
create index webhook_delivery_due on webhook_delivery (webhook_id, due_at, id) where due_at is not null;
create index webhook_delivery_log on webhook_delivery (webhook_id, id);
create index webhook_delivery_done on webhook_delivery (done_at) where done_at is not null;
create index webhook_delivery_body on webhook_delivery (done_at) where done_at is not null and body is not null;
comment on table webhook_delivery is 'One event on its way to a webhook, or there, or given up. Kept for a week as a log.';
comment on column webhook_delivery.event_id is 'Each event becomes one delivery of a webhook; null for a test.';
comment on column webhook_delivery.message_id is 'By this the receiver knows a message that comes twice: every try carries the same.';
comment on column webhook_delivery.body is 'What is sent, sealed: it may hold codes and links. Wiped a day after the delivery is done.';
comment on column webhook_delivery.due_at is 'When it is sent, or tried again: the row is the timer. Null when there is nothing left to do.';
comment on column webhook_delivery.sending_until is 'Somebody is sending it; who dies meanwhile leaves it to be taken again after this.';
comment on column webhook_delivery.done_at is 'When it was accepted, or given up.';

alter type notice_kind add value 'webhook-disabled';
