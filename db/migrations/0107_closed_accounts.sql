-- safe from 0066, outside a transaction: adds a column that may be null, and an index on a table in use.
-- The owner of an account closes it: its row stays for the books, without the name (docs/decisions/104).
alter table users add column if not exists closed_at timestamptz;
comment on column users.closed_at is
  'When the owner closed the account. Nothing of the row tells who it was; blocked_at is set too, for programs that do not know this column.';
-- Which messaging account confirmed an account that is closed: it gets no second bonus.
create index concurrently if not exists user_mark_telegram on user_mark (hash) where kind = 'telegram';
