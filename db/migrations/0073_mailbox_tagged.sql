-- safe from 0072, outside a transaction: an index on a table in use.
-- Finds the logins of the stock that are one mailbox but for what follows a plus. Few have one.
create index concurrently if not exists mailbox_tagged on mailbox (domain_id, split_part(local_part, '+', 1))
  where strpos(local_part, '+') > 1;
