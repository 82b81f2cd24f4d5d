-- safe from 0066, outside a transaction: adds a column that may be null.
alter table webhook_delivery add column if not exists exchange bytea;
comment on column webhook_delivery.exchange is
  'The headers of the last try and the beginning of what the receiver answered, sealed. Wiped with the body.';
