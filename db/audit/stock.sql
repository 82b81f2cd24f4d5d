-- Stock, orders and the counters of both, one row for each lot or (site, lot); only wrong rows are searched.
with
everywhere as materialized (
  select lot_id, domain_id, count(*) as count, count(*) filter (where not dead) as live, min(id) as first, max(id) as last
  from mailbox group by 1, 2
),
-- On sale; "held lots" checks the rest.
box as materialized (
  select * from everywhere where lot_id not in (select id from held_lot)
),
-- The lots by their place among all mailbox ids. Without gaps ("lots" below) a binary search of the id finds the lot of a mailbox.
placed as materialized (
  select row_number() over (order by first_id)::integer as place, id as lot_id, domain_id, first_id, last_id from lot
),
-- Pending and received orders by mailbox. Reorders use the mailbox of their first order.
ordered_by_place as (
  select o.site_id, o.domain_id, width_bucket(o.mailbox_id, (select array_agg(first_id order by first_id) from lot)) as place,
         max(o.mailbox_id) as furthest,
         count(*) filter (where o.status in ('pending', 'received') and o.reorder_of is null) as held,
         count(*) filter (where o.status in ('pending', 'received') and o.reorder_of is null and dead.id is null) as living,
         min(o.mailbox_id) filter (where o.status in ('pending', 'received') and o.reorder_of is null) as first,
         max(o.mailbox_id) filter (where o.status in ('pending', 'received') and o.reorder_of is null) as last
  from orders o left join (select id from mailbox where dead) dead on dead.id = o.mailbox_id
  group by 1, 2, 3
),
ordered as materialized (
  select o.*, p.lot_id, p.domain_id as real_domain_id
  from ordered_by_place o left join placed p on p.place = o.place and o.furthest <= p.last_id
),
back_by_place as (
  select r.site_id, r.domain_id, r.lot_id, r.hidden, dead.id is not null as dead,
         width_bucket(r.mailbox_id, (select array_agg(first_id order by first_id) from lot)) as place,
         count(*) as count, min(r.mailbox_id) as first, max(r.mailbox_id) as last
  from returned r left join (select id from mailbox where dead) dead on dead.id = r.mailbox_id
  group by 1, 2, 3, 4, 5, 6
),
back as materialized (
  select b.*, p.lot_id as real_lot_id, p.domain_id as real_domain_id
  from back_by_place b left join placed p on p.place = b.place and b.last <= p.last_id
),
-- Lots blocked for sites.
shunned as materialized (
  select b.site_id, l.id as lot_id, l.domain_id from batch_block b join lot l on l.batch_id = b.batch_id
),
-- Lots of batches off sale.
withdrawn as materialized (
  select l.id as lot_id, b.withdrawn_at from lot l join batch b on b.id = l.batch_id where b.withdrawn_at is not null
),
homeless as materialized (
  select distinct site_id, domain_id, lot_id from ordered where lot_id is null or real_domain_id <> domain_id
),
unknown as materialized (
  select o.site_id, o.domain_id, o.lot_id from ordered o
  where o.held > 0 and not exists (select 1 from stock s where s.site_id = o.site_id and s.domain_id = o.domain_id)
),
mishidden as materialized (
  select b.* from back b left join shunned s on s.site_id = b.site_id and s.lot_id = b.real_lot_id
  where b.real_lot_id is null or b.lot_id <> b.real_lot_id or b.domain_id <> b.real_domain_id
     or b.hidden <> (case when s.site_id is null then 0 else 1 end) + (case when b.dead then 2 else 0 end)
       + (case when b.real_lot_id in (select lot_id from withdrawn) then 4 else 0 end)
),
-- Unsold mailboxes, as the shop counts them: the run in use, and runs that the cursor does not reach.
fresh as materialized (
  select s.site_id, p.lot_id, s.next_id as first, s.end_id as last
  from (select *, width_bucket(next_id, (select array_agg(first_id order by first_id) from lot)) as place from stock) s
  join placed p on p.place = s.place
  where s.next_id <= s.end_id
  union all
  select site_id, lot_id, first_id, last_id from stock_run
),
used as materialized (
  select site_id, domain_id, lot_id, first, last from ordered where held > 0
  union all
  select site_id, domain_id, real_lot_id, first, last from back
),
-- Lots with a used mailbox in a fresh run, or used ahead of the cursor.
suspect as materialized (
  select u.site_id, u.lot_id from used u join fresh f on f.site_id = u.site_id and f.lot_id = u.lot_id
  where u.first <= f.last and f.first <= u.last
  union
  select u.site_id, u.lot_id
  from used u
  join stock s on s.site_id = u.site_id and s.domain_id = u.domain_id
  left join stock_run r on r.site_id = u.site_id and r.lot_id = u.lot_id
  where u.lot_id > s.lot_id and r.lot_id is null
),
-- The mailboxes of a domain's lots up to each lot.
walked as materialized (
  select domain_id, id as lot_id, sum(last_id - first_id + 1) over (partition by domain_id order by id) as count from lot
),
finding (name, id) as materialized (
  select 'once for a site', o.mailbox_id || ' for site ' || o.site_id from orders o
    where o.status in ('pending', 'received') and o.reorder_of is null
    group by o.mailbox_id, o.site_id having count(*) > 1

  union all
  select 'mailbox of an order', o.id::text from orders o left join mailbox m on m.id = o.mailbox_id
    where exists (select 1 from homeless) and (m.id is null or m.domain_id <> o.domain_id)

  union all
  select 'living mailboxes', d.name from mail_domain d
    left join (select domain_id, sum(live) as live from box where lot_id not in (select lot_id from withdrawn) group by domain_id) m on m.domain_id = d.id
    where d.live <> coalesce(m.live, 0)

  union all
  select 'lots', 'lot ' || coalesce(l.id, m.lot_id) from lot l
    full join box m on m.lot_id = l.id and m.domain_id = l.domain_id
    where l.live is distinct from m.live or l.last_id - l.first_id + 1 is distinct from m.count
       or m.first is distinct from l.first_id or m.last is distinct from l.last_id

  union all
  select 'held lots', 'lot ' || h.id from held_lot h
    left join everywhere m on m.lot_id = h.id and m.domain_id = h.domain_id
    where h.last_id - h.first_id + 1 is distinct from m.count or m.first is distinct from h.first_id or m.last is distinct from h.last_id
       or exists (select 1 from lot l where l.id = h.id)
  union all
  select 'held lots', 'batch ' || b.batch_id from investor_batch b
    where (b.state = 'active' or b.freed_at is not null) = exists (select 1 from held_lot h where h.batch_id = b.batch_id)
  union all
  select 'held lots', 'mailbox ' || m.id from held_lot h
    join investor_batch b on b.batch_id = h.batch_id and b.state = 'refused'
    join mailbox m on m.id between h.first_id and h.last_id and (m.secret is not null or not m.dead)
  union all
  select 'held lots', 'lot ' || w.lot_id from withdrawn w
    where exists (select 1 from stock_run r where r.lot_id = w.lot_id and not r.blocked)
       or exists (select 1 from fresh f join stock s on s.site_id = f.site_id and s.next_id = f.first and s.end_id = f.last
                  where f.lot_id = w.lot_id)
  union all
  select 'held lots', 'order ' || o.id from withdrawn w join lot l on l.id = w.lot_id
    join orders o on o.mailbox_id between l.first_id and l.last_id and o.created_at > w.withdrawn_at and o.reorder_of is null

  union all
  select 'taken', 'site ' || s.site_id || ' domain ' || s.domain_id from stock s
    left join (
      select site_id, domain_id, sum(count) as count from (
        select o.site_id, o.domain_id, o.living as count from ordered o
          where not exists (select 1 from shunned b where b.site_id = o.site_id and b.lot_id = o.lot_id)
            and (o.lot_id in (select lot_id from withdrawn)) is not true
        union all
        select b.site_id, b.domain_id, m.live from shunned b join box m on m.lot_id = b.lot_id
          where b.lot_id not in (select lot_id from withdrawn)) t
      group by site_id, domain_id) t on t.site_id = s.site_id and t.domain_id = s.domain_id
    where s.taken <> coalesce(t.count, 0)

  union all
  select 'held without stock', o.id::text from orders o
    where exists (select 1 from unknown) and o.status in ('pending', 'received') and o.reorder_of is null
      and not exists (select 1 from stock s where s.site_id = o.site_id and s.domain_id = o.domain_id)
  union all
  select 'held without stock', 'site ' || b.site_id || ' domain ' || b.domain_id from shunned b
    where not exists (select 1 from stock s where s.site_id = b.site_id and s.domain_id = b.domain_id)

  union all
  select 'returned and held', r.mailbox_id || ' for site ' || r.site_id from returned r
    join orders o on o.site_id = r.site_id and o.mailbox_id = r.mailbox_id
      and o.status in ('pending', 'received') and o.reorder_of is null
  union all
  select 'returned and held', r.mailbox_id || ' for site ' || r.site_id from returned r left join mailbox m on m.id = r.mailbox_id
    where exists (select 1 from mishidden)
      and exists (
        select 1 from mishidden b where b.site_id = r.site_id and b.domain_id = r.domain_id and b.lot_id = r.lot_id and b.hidden = r.hidden
          and b.dead = coalesce(m.dead, false) and r.mailbox_id between b.first and b.last)

  union all
  select 'fresh is fresh', t.mailbox_id || ' for site ' || t.site_id
    from (select o.site_id, o.mailbox_id, o.domain_id from orders o
            where exists (select 1 from suspect) and o.status in ('pending', 'received') and o.reorder_of is null
          union all
          select site_id, mailbox_id, domain_id from returned where exists (select 1 from suspect)) t
    join mailbox m on m.id = t.mailbox_id
    join suspect on suspect.site_id = t.site_id and suspect.lot_id = m.lot_id
    join stock s on s.site_id = t.site_id and s.domain_id = t.domain_id
    left join stock_run r on r.site_id = t.site_id and r.lot_id = m.lot_id
    where t.mailbox_id between s.next_id and s.end_id
       or t.mailbox_id between r.first_id and r.last_id
       or m.lot_id > s.lot_id and r.lot_id is null

  union all
  select 'no mailbox lost', 'site ' || s.site_id || ' domain ' || s.domain_id from stock s
    left join walked behind on behind.domain_id = s.domain_id and behind.lot_id = s.lot_id
    left join (select site_id, domain_id, sum(held) as count from ordered group by 1, 2) h on h.site_id = s.site_id and h.domain_id = s.domain_id
    left join (select site_id, domain_id, sum(count) as count from back group by 1, 2) b on b.site_id = s.site_id and b.domain_id = s.domain_id
    left join (
      -- A run of a lot ahead of the cursor replaces the lot.
      select r.site_id, r.domain_id,
             sum(r.last_id - r.first_id + 1 - case when r.lot_id > s.lot_id then l.last_id - l.first_id + 1 else 0 end) as count
      from stock_run r join lot l on l.id = r.lot_id join stock s on s.site_id = r.site_id and s.domain_id = r.domain_id
      group by 1, 2) run on run.site_id = s.site_id and run.domain_id = s.domain_id
    where coalesce(behind.count, 0) <> coalesce(h.count, 0) + coalesce(b.count, 0) + coalesce(run.count, 0)
      + greatest(s.end_id - s.next_id + 1, 0)
       or behind.count is null and s.lot_id <> 0
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'once for a site', 'no mailbox is sold twice for one site'),
  (2, 'mailbox of an order', 'each order has a mailbox of the domain that was ordered'),
  (3, 'living mailboxes', 'each domain''s counter is the number of its living mailboxes'),
  (4, 'lots', 'the ids of each lot have no gap and its living mailboxes are counted'),
  (10, 'held lots', 'what is held of a batch or was taken off sale is not sold, and of one that was refused no password is left'),
  (5, 'taken', 'what a site can not have is what was sold to it and what is blocked for it'),
  (6, 'held without stock', 'each sold mailbox and each blocked lot is known to its pair''s stock'),
  (7, 'returned and held', 'no returned mailbox is in use, and those that can not be sold are hidden'),
  (8, 'fresh is fresh', 'no fresh run holds a mailbox that was sold or returned'),
  (9, 'no mailbox lost', 'each mailbox is sold, returned or fresh')
) as i (place, name, says)
order by i.place
