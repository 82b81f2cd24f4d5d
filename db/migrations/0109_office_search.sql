-- safe from 0066, outside a transaction: indexes on tables in use.
-- The back office finds mailboxes by the beginning of the address, and accounts by that of the host of theirs.
create index concurrently if not exists mailbox_begins on mailbox (local_part text_pattern_ops);
create index concurrently if not exists users_host_begins on users (split_part(email, '@', 2) text_pattern_ops);
