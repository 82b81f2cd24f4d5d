-- safe from 0066, outside a transaction: an index on a table in use.
-- An address that another payment had is refused, whoever gave it.
create index concurrently if not exists payment_address on payment (address);
