-- safe from 0066: adds a column without a default.
alter table webhook_delivery add column exchange bytea;
comment on column webhook_delivery.exchange is
  'The headers of the last try and the beginning of what the receiver answered, sealed. Wiped with the body.';
