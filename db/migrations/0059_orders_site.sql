-- safe from 0057, outside a transaction: an index on a table in use.
-- A buyer's orders of one site, newest first, however many others he has.
create index concurrently if not exists orders_site on orders (user_id, site_id, number);
