-- Administrators look for an order by its address, whatever became of it. Those that wait or were served are found by their mailbox
-- already; the others by this one. It is written when an order ends without a letter, and never while one is placed.
create index orders_ended on orders (mailbox_id, id) where status in ('canceled', 'expired');
