-- A key that comes again must ask for the same: how many were asked for cannot be seen in the orders when not all could be placed.

alter table orders add column quantity smallint;
comment on column orders.quantity is
  'How many orders the call asked for that named this one by its idempotency key. Null: without a key, a reorder, or placed before this was noted.';
