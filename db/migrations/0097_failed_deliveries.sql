-- safe from 0066, outside a transaction: an index on a table in use.
-- The deliveries that were given up, for the operator, among the many that were not.
create index concurrently if not exists webhook_delivery_failed on webhook_delivery (created_at)
  where done_at is not null and not delivered;
