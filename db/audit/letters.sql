-- Orders and their letters.
with
finding (name, id) as materialized (
  select 'letters of orders', o.id::text from orders o
    where o.status = 'received' and not exists (select 1 from delivery d where d.order_id = o.id)
  union all
  select 'letters of orders', d.order_id::text from delivery d
    where not exists (select 1 from orders o where o.id = d.order_id and o.status = 'received')
)
select i.name, i.says, array(select distinct f.id from finding f where f.name = i.name order by f.id limit 20) as bad
from (values
  (1, 'letters of orders', 'exactly the received orders have letters')
) as i (place, name, says)
order by i.place
