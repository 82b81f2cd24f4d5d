-- safe from 0066, outside a transaction: adds a column that may be null, and an index on a table in use.
alter table orders add column if not exists note text check (char_length(note) between 1 and 60);
comment on column orders.note is 'The buyer''s own words for the order, told to nobody else. Null: none.';
-- A buyer finds orders by the beginning of their notes, however old they are. Orders without a note are not in it.
create index concurrently if not exists orders_note on orders (user_id, (lower(note) collate "C"), number) where note is not null;
