-- safe from 0057, outside a transaction: an index on a table in use.
-- Orders are searched without it (docs/decisions/072-*.md): it cost each new order one entry more.
drop index concurrently if exists orders_site;
