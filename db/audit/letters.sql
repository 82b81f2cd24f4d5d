with
-- Apart from the rest: they may lie on other servers than the letters.
body (id, arrived_at) as materialized (select letter_id, arrived_at from letter_body),
finding (name, id) as materialized (
  select 'letters of orders', o.id::text from orders o
    where o.status = 'received' and not exists (select 1 from delivery d where d.order_id = o.id)
  union all
  select 'letters of orders', d.order_id::text from delivery d
    where not exists (select 1 from any_order o where o.id = d.order_id and o.status = 'received')

  union all
  select 'letters of orders', 'letter ' || d.letter_id from delivery d
    where not exists (select 1 from any_letter l where l.id = d.letter_id)
  union all
  select 'recipients', 'letter ' || r.letter_id from recipient r
    where not exists (select 1 from any_letter l where l.id = r.letter_id)

  -- Bodies of old letters are dropped on purpose; letters_kept says since when.
  union all
  select 'bodies of letters', 'letter ' || l.id from letter l join letters_kept k on l.arrived_at >= k.since
    where l.is_given and not exists (select 1 from body b where b.id = l.id and b.arrived_at = l.arrived_at)
  union all
  select 'letters to match', 'letter ' || l.id from letter l
    where l.judged_at is null and not exists (select 1 from raw_of(l.id, l.arrived_at, 1, 0))
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'letters of orders', 'exactly the received orders have letters, and these are there'),
  (2, 'bodies of letters', 'each letter that an order got has its body for as long as letters are kept'),
  (3, 'letters to match', 'each letter that was answered 250 and is not matched yet is there as it came'),
  (4, 'recipients', 'each recipient has its letter')
) as i (place, name, says)
order by i.place
