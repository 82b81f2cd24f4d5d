-- safe from 0066: adds tables that an older release does not read.
-- Ids above `plain_to` are told under other numbers (src/server/platform/ids.ts), so that two ids do not tell what was sold between
-- them. Ids that were told before stay, and those of an older release that runs beside for a while.
create table told_ids (
  lead     smallint    primary key,
  sequence text        not null,
  plain_to bigint      not null,
  since    timestamptz not null default now()
);
comment on table told_ids is 'Ids that begin with the digit lead, of eleven, are told as they are up to plain_to, and above it under other numbers.';

insert into told_ids (lead, sequence, plain_to)
select lead, sequence, coalesce(pg_sequence_last_value(sequence::regclass) + 100000, lead * 10000000000)
from (values
  (3, pg_get_serial_sequence('payment', 'id')),
  (4, pg_get_serial_sequence('orders', 'id')),
  (5, pg_get_serial_sequence('webhook_delivery', 'id')),
  (6, pg_get_serial_sequence('letter', 'id')),
  (7, pg_get_serial_sequence('user_token', 'id')),
  (8, pg_get_serial_sequence('webhook', 'id')),
  (9, 'event_id')) s (lead, sequence);

create table told_ids_key (key uuid not null default gen_random_uuid());
comment on table told_ids_key is 'One row, for ever: with another key the ids that clients keep would name something else.';
insert into told_ids_key default values;
