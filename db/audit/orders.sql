-- Orders and their transfers. transfer_order_kind is unique: with equal counts none is missing; only else it is searched.
with
met as materialized (
  select t.kind,
         count(*) filter (where o.id is not null) as count,
         count(*) filter (where o.id is not null and t.debit = 1) as from_escrow,
         array_agg(t.id) filter (where o.id is null and (t.order_id is not null
           or t.kind in ('hold', 'refund', 'capture', 'referral', 'soft', 'investor'))) as alone,
         array_agg(o.id) filter (where o.price = 0 or case t.kind
           when 'hold' then t.amount <> o.price or t.credit <> 1 or a.user_id is distinct from o.user_id or a.book <> 'balance'
           when 'refund' then t.amount <> o.price or a.user_id is distinct from o.user_id or a.book <> 'balance'
             or case t.debit when 1 then o.status not in ('canceled', 'expired')
                  when 2 then share.state is distinct from 'refunded' else true end
           when 'capture' then t.debit <> 1 or t.credit <> 2 or o.status <> 'received'
           else t.debit <> 1 or o.status <> 'received'
             or split_part(a.book, '.', 1) is distinct from (case t.kind when 'referral' then 'referrals' else t.kind::text end)
           end) as wrong,
         array_agg(o.id) filter (where t.kind in ('referral', 'soft', 'investor') and a.user_id = o.user_id) as own,
         array_agg(o.id) filter (where t.kind in ('referral', 'soft') and (t.amount <> partner_share(o.price)
           or a.user_id is distinct from (case t.kind when 'soft' then o.soft_id else buyer.referred_by end)
             -- Whom a closed account invited is invited by nobody any more.
             and (t.kind = 'soft' or a.user_id not in (select id from users where closed_at is not null)))) as unfair
  from transfer t
  left join any_order o on o.id = t.order_id
  left join any_share share on share.order_id = t.order_id
  left join users buyer on buyer.id = o.user_id
  left join account a on a.id = case t.kind when 'hold' then t.debit else t.credit end
  group by t.kind
),
counted as materialized (
  select count(*) as orders, count(*) filter (where status in ('canceled', 'expired')) as closed from orders where price > 0
),
-- Due shares of received orders; none of one's own order.
due as materialized (
  select o.id, o.user_id, share.kind, share.partner_id
  from orders o
  join users buyer on buyer.id = o.user_id
  left join users program on program.id = o.soft_id and program.closed_at is null
  cross join lateral (values ('referral'::transfer_kind, buyer.referred_by), ('soft', program.id)) as share (kind, partner_id)
  where o.status = 'received' and partner_share(o.price) > 0 and share.partner_id <> o.user_id
),
finding (name, id) as materialized (
  select 'escrow', 'account 1' where
    (select coalesce(sum(credit - debit), 0) from account_day where account_id = 1)
    <> (select coalesce(sum(price), 0) from orders where status = 'pending')

  union all
  select 'paid', unnest(wrong)::text from met where kind = 'hold'
  union all
  select 'paid', o.id::text from orders o
    where (select orders from counted) <> (select coalesce(sum(count), 0) from met where kind = 'hold')
      and o.price > 0 and not exists (select 1 from transfer t where t.order_id = o.id and t.kind = 'hold')

  union all
  select 'hold without order', unnest(alone)::text from met

  union all
  select 'refunded', unnest(wrong)::text from met where kind = 'refund'
  union all
  select 'refunded', o.id::text from orders o
    where (select closed from counted) <> (select coalesce(sum(from_escrow), 0) from met where kind = 'refund')
      and o.price > 0 and o.status in ('canceled', 'expired')
      and not exists (select 1 from transfer t where t.order_id = o.id and t.kind = 'refund' and t.debit = 1)

  union all
  select 'earned', unnest(wrong)::text from met where kind in ('capture', 'referral', 'soft', 'investor')
  union all
  select 'earned', o.id::text from orders o
    left join transfer t on t.order_id = o.id and t.kind = 'capture'
    left join transfer r on r.order_id = o.id and r.kind = 'referral'
    left join transfer s on s.order_id = o.id and s.kind = 'soft'
    left join transfer v on v.order_id = o.id and v.kind = 'investor'
    where o.status = 'received' and o.price > 0
      and o.price <> coalesce(t.amount, 0) + coalesce(r.amount, 0) + coalesce(s.amount, 0) + coalesce(v.amount, 0)

  union all
  select 'nobody from his own', unnest(own)::text from met

  union all
  select 'shares', unnest(unfair)::text from met where kind in ('referral', 'soft')
  union all
  select 'shares', due.id::text from due
    left join transfer t on t.order_id = due.id and t.kind = due.kind
    left join partner_tie k on k.user_id = due.user_id and k.partner_id = due.partner_id and k.state = 'refused'
    where t.id is null and k.user_id is null

  union all
  select 'held', 'account ' || a.id from account a
    left join (
      select partner_id, book, sum(amount) as amount
        from (select partner_id, 'referrals.held' as book, referrals as amount from partner_tie where state = 'held'
              union all
              select partner_id, 'soft.held', soft from partner_tie where state = 'held'
              union all
              select user_id, book || '.held', amount from partner_share_held) part
        group by 1, 2
      union all
      select user_id, 'investor.held', sum(amount) from public.investor_share where state = 'held' group by 1) k
      on k.partner_id = a.user_id and k.book = a.book
    where a.book like '%.held' and a.balance <> coalesce(k.amount, 0)

  union all
  select 'investor shares', v.order_id::text
    from investor_share v
    left join orders o on o.id = v.order_id
    left join transfer i on i.order_id = v.order_id and i.kind = 'investor'
    left join account a on a.id = i.credit
    left join transfer e on e.order_id = v.order_id and e.kind in ('release', 'forfeit')
    left join account earner on earner.id = e.credit
    left join transfer r on r.order_id = v.order_id and r.kind = 'refund'
    where o.id is null or i.id is null or i.amount <> v.amount or a.user_id <> v.user_id or o.user_id <> v.buyer_id
      or (r.id is not null) <> (v.state = 'refunded')
      or e.amount <> v.amount
      or case v.state
           when 'held' then a.book <> 'investor.held' or e.id is not null
           when 'released' then case a.book when 'investor' then e.id is not null
             else e.kind is distinct from 'release' or earner.user_id <> v.user_id or earner.book <> 'investor' end
           else a.book <> 'investor.held' or e.kind is distinct from 'forfeit' or e.credit <> 2 end
  union all
  select 'investor shares', t.order_id::text
    from transfer t join account a on a.id = case t.kind when 'investor' then t.credit else t.debit end
    left join public.investor_share v on v.order_id = t.order_id
    where t.kind in ('investor', 'release', 'forfeit') and a.book = 'investor.held' and v.order_id is null

  union all
  select 'batch earnings', 'batch ' || coalesce(e.batch_id, v.batch_id)
    from (select batch_id, sum(held) as held, sum(held_count) as count from batch_earning group by 1) e
    full join (select batch_id, sum(amount) as held, count(*) as count from public.investor_share where state = 'held' group by 1) v
      on v.batch_id = e.batch_id
    where (coalesce(e.held, 0), coalesce(e.count, 0)) <> (coalesce(v.held, 0), coalesce(v.count, 0))
  union all
  select 'batch earnings', 'account ' || a.id
    from account a
    left join (select account_id, sum(credit) as earned, sum(count) as count from account_day group by 1) d on d.account_id = a.id
    -- What an operator gave is no batch's.
    left join (select credit, sum(amount) as given from transfer where kind = 'adjust' group by 1) j on j.credit = a.id
    left join (select b.investor_id, sum(e.amount) as earned, sum(e.count) as count
               from batch_earning e join batch b on b.id = e.batch_id group by 1) e on e.investor_id = a.user_id
    where a.book = 'investor' and (coalesce(d.earned, 0) - coalesce(j.given, 0), coalesce(d.count, 0)) <> (coalesce(e.earned, 0), coalesce(e.count, 0))

  union all
  select 'reorders', o.id::text from orders o left join public.orders first on first.id = o.reorder_of
    where o.reorder_of is not null
      and (first.id is null or first.status <> 'received' or first.user_id <> o.user_id
        or first.mailbox_id <> o.mailbox_id or first.site_id <> o.site_id
        or not exists (
          select 1 from public.orders h where h.mailbox_id = o.mailbox_id and h.site_id = o.site_id
            and h.status in ('pending', 'received') and h.reorder_of is null))

  union all
  select 'budgets', 'token ' || coalesce(d.token_id, t.token_id) || ' on ' || coalesce(d.day, t.day) from user_token_day d
    full join (
      select token_id, (created_at at time zone 'UTC')::date as day, sum(price) as spent
      from orders
      -- A refund on a later day is no longer in that day's budget.
      where token_id is not null and (status in ('pending', 'received')
        or (closed_at at time zone 'UTC')::date <> (created_at at time zone 'UTC')::date)
      group by 1, 2) t on t.token_id = d.token_id and t.day = d.day
    where coalesce(d.spent, 0) <> coalesce(t.spent, 0) and coalesce(d.day, t.day) >= (select open_day from closing)
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'escrow', 'escrow holds exactly the prices of the pending orders'),
  (2, 'paid', 'each order that costs something has one hold of its price from its buyer''s balance'),
  (3, 'hold without order', 'no money was moved for an order that is not there'),
  (4, 'refunded', 'exactly the canceled, expired and rightly complained about orders are refunded, in full, to their buyers'),
  (5, 'earned', 'exactly the received orders are earned: revenue and shares are the price'),
  (6, 'nobody from his own', 'nobody earned a share of his own order'),
  (7, 'shares', 'a partner earned 5 % of each received order that is his to earn by, unless an operator refused it'),
  (8, 'held', 'what is kept apart of a partner or an investor is what the ties and the held shares say'),
  (9, 'investor shares', 'each share of an investor was earned once, and ended once, as its row says'),
  (10, 'batch earnings', 'what batches have earned and hold is what their owners'' accounts and shares say'),
  (11, 'reorders', 'each reorder is of a received order of the same buyer, mailbox and site'),
  (12, 'budgets', 'what each limited token spent on a day is what it ordered, less what was given back that day')
) as i (place, name, says)
order by i.place
