-- safe from 0066: adds columns that may be missing.
-- A batch on sale can be taken off sale, and put back as it was.
alter table batch
  add column withdrawn_at timestamptz,
  add column withdrawn_for text check (withdrawn_for in ('operator', 'owner'));
comment on column batch.withdrawn_at is
  'Since when it is off sale: no new order gets one of its mailboxes, and its lots count neither in mail_domain.live nor in stock.taken. '
  'Open orders live to their end; what they earn waits for the operator.';
comment on column batch.withdrawn_for is
  'operator: he took it off, and he alone puts it back. owner: its investor was blocked or lost the role; it comes back with him.';
comment on column returned.hidden is
  'Why it cannot be sold now, a sum: 1 its batch must not serve this site, 2 the mailbox is dead, 4 its batch is off sale; 0 it can.';
