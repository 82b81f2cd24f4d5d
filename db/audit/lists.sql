-- Each buyer's numbers and lists. Reads every order once, into one row for each block of 256 numbers; closed ones are in closed_buyer.
-- A block with a closed order is not counted again, since old orders may still be hidden.
with
block as materialized (
  select user_id, number / 256 as block, count(*) as count, min(number) as first, max(number) as last,
         count(*) filter (where status not in ('pending', 'received') or hidden) as gone,
         count(*) filter (where status = 'pending') as waiting
  from orders group by 1, 2
),
finding (name, id) as materialized (
  select 'order numbers', 'user ' || coalesce(b.user_id, t.user_id) from buyer b
    full join (
      select user_id, sum(count) as count, min(first) as first, max(last) as last
      from (select user_id, count, first, last from block union all select user_id, count, 1, last from closed_buyer) n
      group by user_id) t on t.user_id = b.user_id
    where coalesce(t.count, 0) <> coalesce(b.orders_count, -1) or t.first <> 1 or t.last <> t.count

  union all
  select 'list counters', 'user ' || coalesce(g.user_id, l.user_id) || ' block ' || coalesce(g.block, l.block) from buyer_gap g
    full join block l on l.user_id = g.user_id and l.block = g.block
    left join closed_buyer c on c.user_id = coalesce(g.user_id, l.user_id)
    where coalesce(g.gone, 0) <> coalesce(l.gone, 0) and coalesce(g.block, l.block) * 256 > coalesce(c.last, -1)
  union all
  select 'list counters', 'user ' || coalesce(s.user_id, l.user_id) || ' span ' || coalesce(s.span, l.span) from buyer_span s
    full join (select user_id, block / 256 as span, sum(gone) as gone from buyer_gap group by 1, 2) l
      on l.user_id = s.user_id and l.span = s.span
    where coalesce(s.gone, 0) <> coalesce(l.gone, 0)
  union all
  select 'list counters', 'user ' || b.user_id from buyer b
    left join (select user_id, sum(gone) as gone from buyer_span group by user_id) l on l.user_id = b.user_id
    where b.gone_count <> coalesce(l.gone, 0)

  union all
  select 'waiting counters', 'user ' || b.user_id from buyer b
    left join (select user_id, sum(waiting) as waiting from block group by user_id) l on l.user_id = b.user_id
    where b.waiting_count <> coalesce(l.waiting, 0)
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'order numbers', 'the numbers of each buyer''s orders have no gap'),
  (2, 'list counters', 'what has left the lists of activations is counted right'),
  (3, 'waiting counters', 'the orders of each buyer that wait for a letter are counted right')
) as i (place, name, says)
order by i.place
