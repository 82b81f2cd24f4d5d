-- safe from 0066: adds columns with defaults, and takes back a check that only new rows need in another form.
-- The release before reads event_kind with the four names that it knows, and would read no event of anybody beside one of a fifth.
-- So the type gets no more values: a new kind of event is a name beside one of the four, and older programs tell that one.
alter table event add column name text;
comment on column event.name is 'The name of the event where event_kind does not have it; null: as kind says. A program skips names that it does not know.';
comment on column event.status is
  'Of an activation: pending, received, canceled, expired. Of a payment: pending, confirmed, rejected. Of a refund: its reason. As it was then.';

alter table webhook
  add column more text[] not null default '{}',
  drop constraint webhook_events_check,
  add constraint webhook_wants_some check (cardinality(events) + cardinality(more) > 0) not valid;
comment on column webhook.more is 'Names of wanted events that event_kind does not have.';
