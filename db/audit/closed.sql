-- The rows of closed parts as they are now, against the sums that were stored when they were closed.
with
finding (name, id) as materialized (
  select 'closed rows', p.what || ' ' || p.first_id || ' to ' || p.last_id from closed_part p
    cross join lateral (
      select count(*) as count, coalesce(sum(print), 0) as sum from transfer_print
        where p.what = 'transfer' and id between p.first_id and p.last_id
      union all
      select count(*), coalesce(sum(print), 0) from orders_print
        where p.what = 'orders' and id between p.first_id and p.last_id) t
    group by p.what, p.first_id, p.last_id, p.count, p.sum
    having (sum(t.count), sum(t.sum)) <> (p.count, p.sum)
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  ('closed rows', 'no order and no entry has changed since a nightly close has summed it up')
) as i (name, says)
