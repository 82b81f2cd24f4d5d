-- What stock.sql says of single orders, of the orders that are not closed. Its sums over all stock are not checked here.
-- "Lateral" with a limit is a look-up for each: the tables are much longer than what is open.
with
held as materialized (
  select * from orders where status in ('pending', 'received') and reorder_of is null
),
finding (name, id) as materialized (
  select 'once for a site', o.mailbox_id || ' for site ' || o.site_id from held o
    cross join lateral (
      select 1 from public.orders other where other.mailbox_id = o.mailbox_id and other.site_id = o.site_id
        and other.status in ('pending', 'received') and other.reorder_of is null and other.id <> o.id limit 1) other

  union all
  select 'mailbox of an order', o.id::text from orders o
    left join lateral (select * from mailbox where id = o.mailbox_id limit 1) m on true
    where m.id is null or m.domain_id <> o.domain_id

  union all
  select 'held without stock', o.id::text from held o
    where not exists (select 1 from stock s where s.site_id = o.site_id and s.domain_id = o.domain_id)

  union all
  select 'returned and held', o.mailbox_id || ' for site ' || o.site_id from held o
    join returned r on r.site_id = o.site_id and r.mailbox_id = o.mailbox_id

  union all
  select 'fresh is fresh', o.mailbox_id || ' for site ' || o.site_id from held o
    join mailbox m on m.id = o.mailbox_id
    join stock s on s.site_id = o.site_id and s.domain_id = o.domain_id
    left join stock_run r on r.site_id = o.site_id and r.lot_id = m.lot_id
    where o.mailbox_id between s.next_id and s.end_id
       or o.mailbox_id between r.first_id and r.last_id
       or m.lot_id > s.lot_id and r.lot_id is null
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'once for a site', 'no mailbox is sold twice for one site'),
  (2, 'mailbox of an order', 'each order has a mailbox of the domain that was ordered'),
  (6, 'held without stock', 'each sold mailbox and each blocked lot is known to its pair''s stock'),
  (7, 'returned and held', 'no returned mailbox is in use, and those that can not be sold are hidden'),
  (8, 'fresh is fresh', 'no fresh run holds a mailbox that was sold or returned')
) as i (place, name, says)
order by i.place
