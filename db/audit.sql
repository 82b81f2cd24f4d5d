-- What must hold of ledger, stock and orders, whatever happened and whenever one looks: one row each, with the ids that
-- break it (the first 20). One statement, so everything is seen at one moment, while the shop runs.
with
day_sum as (
  select account_id, sum(credit) as credit, sum(debit) as debit from account_day group by account_id
),
leg as (
  select account_id, sum(amount) as amount, sum(amount) filter (where amount > 0) as credit, -sum(amount) filter (where amount < 0) as debit
  from entry group by account_id
),
-- Who holds which mailbox for which site. Reorders use the mailbox of their first order.
held as (
  select o.id, o.mailbox_id, o.site_id, o.domain_id, m.lot_id, m.dead
  from orders o join mailbox m on m.id = o.mailbox_id
  where o.status in ('pending', 'received') and o.reorder_of is null
),
listed as (
  select user_id, number / 256 as block, count(*) filter (where status not in ('pending', 'received') or hidden) as gone
  from orders group by 1, 2
),
finding (name, id) as (
  select 'ledger accounts', t.id::text from transfer t
    where not exists (select 1 from account a where a.id = t.debit) or not exists (select 1 from account a where a.id = t.credit)

  union all
  select 'balances', 'account ' || a.id from account a left join leg on leg.account_id = a.id
    where a.id >= 1000 and a.balance <> coalesce(leg.amount, 0)

  union all
  select 'shop day sums', 'account ' || a.id from account a
    left join leg on leg.account_id = a.id left join day_sum d on d.account_id = a.id
    where a.id < 1000 and (coalesce(d.credit - d.debit, 0) <> coalesce(leg.amount, 0) or a.balance <> 0)

  union all
  select 'zero sum', 'all accounts' where
    (select coalesce(sum(balance), 0) from account)
    + (select coalesce(sum(d.credit - d.debit), 0) from day_sum d where d.account_id < 1000) <> 0

  union all
  select 'no overdraft', 'account ' || id from account where balance < 0

  union all
  select 'escrow', 'account 1' where
    (select coalesce(sum(credit - debit), 0) from day_sum where account_id = 1)
    <> (select coalesce(sum(price), 0) from orders where status = 'pending')

  union all
  select 'once for a site', mailbox_id || ' for site ' || site_id from held group by mailbox_id, site_id having count(*) > 1

  union all
  select 'mailbox of an order', o.id::text from orders o left join mailbox m on m.id = o.mailbox_id
    where m.id is null or m.domain_id <> o.domain_id

  union all
  select 'paid', o.id::text from orders o
    left join transfer t on t.order_id = o.id and t.kind = 'hold'
    left join account a on a.id = t.debit
    where (t.id is null) <> (o.price = 0) or t.amount <> o.price or t.credit <> 1
       or t.id is not null and a.user_id is distinct from o.user_id or a.book <> 'balance'

  union all
  select 'hold without order', t.id::text from transfer t left join orders o on o.id = t.order_id
    where o.id is null and (t.order_id is not null or t.kind in ('hold', 'refund', 'capture', 'referral', 'soft', 'investor'))

  union all
  select 'refunded', o.id::text from orders o
    left join transfer t on t.order_id = o.id and t.kind = 'refund'
    left join account a on a.id = t.credit
    where (o.status in ('canceled', 'expired') and o.price > 0) <> (t.id is not null)
       or t.amount <> o.price or t.debit <> 1 or a.user_id is distinct from o.user_id and t.id is not null

  union all
  select 'earned', o.id::text from orders o
    left join (select order_id, sum(amount) as amount, bool_and(debit = 1) as from_escrow from transfer
               where kind in ('capture', 'referral', 'soft', 'investor') group by order_id) t on t.order_id = o.id
    where (o.status = 'received' and o.price > 0) <> (t.order_id is not null) or t.amount <> o.price or not t.from_escrow

  union all
  select 'nobody from his own', o.id::text from orders o
    join transfer t on t.order_id = o.id and t.kind in ('referral', 'soft', 'investor')
    join account a on a.id = t.credit where a.user_id = o.user_id

  union all
  select 'order numbers', 'user ' || coalesce(b.user_id, t.user_id) from buyer b
    full join (select user_id, count(*) as count, min(number) as first, max(number) as last from orders group by user_id) t on t.user_id = b.user_id
    where coalesce(t.count, 0) <> coalesce(b.orders_count, -1) or t.first <> 1 or t.last <> t.count

  union all
  select 'list counters', 'user ' || coalesce(g.user_id, l.user_id) || ' block ' || coalesce(g.block, l.block) from buyer_gap g
    full join listed l on l.user_id = g.user_id and l.block = g.block where coalesce(g.gone, 0) <> coalesce(l.gone, 0)
  union all
  select 'list counters', 'user ' || b.user_id from buyer b
    where b.gone_count <> (select coalesce(sum(gone), 0) from listed l where l.user_id = b.user_id)

  union all
  select 'reorders', o.id::text from orders o join orders first on first.id = o.reorder_of
    where first.status <> 'received' or first.user_id <> o.user_id or first.mailbox_id <> o.mailbox_id or first.site_id <> o.site_id
  union all
  select 'reorders', o.id::text from orders o
    where o.reorder_of is not null and not exists (select 1 from held h where h.mailbox_id = o.mailbox_id and h.site_id = o.site_id)

  union all
  select 'living mailboxes', d.name from mail_domain d
    left join (select domain_id, count(*) filter (where not dead) as live from mailbox group by domain_id) m on m.domain_id = d.id
    where d.live <> coalesce(m.live, 0)

  union all
  select 'lots', 'lot ' || l.id from lot l
    left join (select lot_id, count(*) filter (where not dead) as live, count(*) as count, min(id) as first, max(id) as last
               from mailbox group by lot_id) m on m.lot_id = l.id
    where l.live <> coalesce(m.live, 0) or l.last_id - l.first_id + 1 <> coalesce(m.count, 0)
       or m.first is distinct from l.first_id or m.last is distinct from l.last_id

  union all
  select 'taken', 'site ' || s.site_id || ' domain ' || s.domain_id from stock s
    left join (
      select site_id, domain_id, count(*) as count from (
        select site_id, domain_id, mailbox_id from held where not dead
        union
        select b.site_id, m.domain_id, m.id from batch_block b
          join lot l on l.batch_id = b.batch_id join mailbox m on m.id between l.first_id and l.last_id
          where not m.dead) t group by site_id, domain_id) t on t.site_id = s.site_id and t.domain_id = s.domain_id
    where s.taken <> coalesce(t.count, 0)

  union all
  select 'held without stock', h.id::text from held h
    where not exists (select 1 from stock s where s.site_id = h.site_id and s.domain_id = h.domain_id)

  union all
  select 'returned and held', r.mailbox_id || ' for site ' || r.site_id from returned r
    join held h on h.site_id = r.site_id and h.mailbox_id = r.mailbox_id
  union all
  select 'returned and held', r.mailbox_id || ' for site ' || r.site_id from returned r
    join mailbox m on m.id = r.mailbox_id join lot l on l.id = m.lot_id
    left join batch_block b on b.batch_id = l.batch_id and b.site_id = r.site_id
    where r.hidden <> (case when b.site_id is null then 0 else 1 end) + (case when m.dead then 2 else 0 end)

  union all
  select 'fresh is fresh', t.mailbox_id || ' for site ' || t.site_id
    from (select site_id, mailbox_id, domain_id, lot_id from held
          union all select site_id, mailbox_id, domain_id, lot_id from returned) t
    join stock s on s.site_id = t.site_id and s.domain_id = t.domain_id
    left join stock_run r on r.site_id = t.site_id and r.lot_id = t.lot_id
    where t.mailbox_id between s.next_id and s.end_id
       or t.mailbox_id between r.first_id and r.last_id
       or t.lot_id > s.lot_id and r.lot_id is null

  union all
  select 'no mailbox lost', 'site ' || s.site_id || ' domain ' || s.domain_id from stock s
    left join (select domain_id, sum(last_id - first_id + 1) as count from lot group by 1) whole on whole.domain_id = s.domain_id
    left join (select site_id, domain_id, count(*) from held group by 1, 2) h on h.site_id = s.site_id and h.domain_id = s.domain_id
    left join (select site_id, domain_id, count(*) from returned group by 1, 2) r on r.site_id = s.site_id and r.domain_id = s.domain_id
    left join (select site_id, domain_id, sum(last_id - first_id + 1) as count from stock_run group by 1, 2) run
      on run.site_id = s.site_id and run.domain_id = s.domain_id
    left join (
      select s.site_id, s.domain_id, sum(l.last_id - l.first_id + 1) as count
      from stock s join lot l on l.domain_id = s.domain_id and l.id > s.lot_id
      where not exists (select 1 from stock_run r where r.site_id = s.site_id and r.lot_id = l.id)
      group by 1, 2) ahead on ahead.site_id = s.site_id and ahead.domain_id = s.domain_id
    where coalesce(whole.count, 0) <> coalesce(h.count, 0) + coalesce(r.count, 0) + coalesce(run.count, 0) + coalesce(ahead.count, 0)
      + greatest(s.end_id - s.next_id + 1, 0)

  union all
  select 'earnings by day', 'account ' || a.id from account a
    left join leg on leg.account_id = a.id left join day_sum d on d.account_id = a.id
    where a.book in ('referrals', 'soft', 'investor')
      and (coalesce(d.credit, 0) <> coalesce(leg.credit, 0) or coalesce(d.debit, 0) <> coalesce(leg.debit, 0))

  union all
  select 'letters of orders', o.id::text from orders o
    where o.status = 'received' and not exists (select 1 from delivery d where d.order_id = o.id)
  union all
  select 'letters of orders', d.order_id::text from delivery d
    left join orders o on o.id = d.order_id where o.id is null or o.status <> 'received'
)
select i.name, i.says, array(select distinct f.id from finding f where f.name = i.name order by f.id limit 20) as bad
from (values
  (1, 'ledger accounts', 'each transfer is between two accounts that exist'),
  (2, 'balances', 'each balance is the sum of its account''s entries'),
  (3, 'shop day sums', 'the day sums of each shop account are the sum of its entries'),
  (4, 'zero sum', 'all balances together are zero'),
  (5, 'no overdraft', 'no balance is below zero'),
  (6, 'escrow', 'escrow holds exactly the prices of the pending orders'),
  (7, 'once for a site', 'no mailbox is sold twice for one site'),
  (8, 'mailbox of an order', 'each order has a mailbox of the domain that was ordered'),
  (9, 'paid', 'each order that costs something has one hold of its price from its buyer''s balance'),
  (10, 'hold without order', 'no money was moved for an order that is not there'),
  (11, 'refunded', 'exactly the canceled and expired orders are refunded, in full, to their buyers'),
  (12, 'earned', 'exactly the received orders are earned: revenue and shares are the price'),
  (13, 'nobody from his own', 'nobody earned a share of his own order'),
  (14, 'order numbers', 'the numbers of each buyer''s orders have no gap'),
  (15, 'list counters', 'what has left the lists of activations is counted right'),
  (16, 'reorders', 'each reorder is of a received order of the same buyer, mailbox and site'),
  (17, 'living mailboxes', 'each domain''s counter is the number of its living mailboxes'),
  (18, 'lots', 'the ids of each lot have no gap and its living mailboxes are counted'),
  (19, 'taken', 'what a site can not have is what was sold to it and what is blocked for it'),
  (20, 'held without stock', 'each sold mailbox is known to its pair''s stock'),
  (21, 'returned and held', 'no returned mailbox is in use, and those that can not be sold are hidden'),
  (22, 'fresh is fresh', 'no fresh run holds a mailbox that was sold or returned'),
  (23, 'no mailbox lost', 'each mailbox is sold, returned or fresh'),
  (24, 'earnings by day', 'the day sums of partners and investors are their entries'),
  (25, 'letters of orders', 'exactly the received orders have letters')
) as i (place, name, says)
order by i.place
