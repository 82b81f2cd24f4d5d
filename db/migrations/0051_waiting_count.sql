-- How many orders of an account wait for their letter is told with each page of its list, however many old ones there are.
alter table buyer add column waiting_count integer not null default 0;
comment on column buyer.waiting_count is 'How many of the orders are pending.';

update buyer b set waiting_count = t.count
  from (select user_id, count(*)::integer as count from orders where status = 'pending' group by user_id) t
  where t.user_id = b.user_id;
