-- The ledger by itself. Reads every transfer once, into one row for each pair of accounts; closed ones are in closed_account.
with
pair as materialized (
  select debit, credit, sum(amount) as amount from transfer group by debit, credit
),
leg as materialized (
  select account_id, sum(credit) as credit, sum(debit) as debit, sum(credit) - sum(debit) as amount
  from (
    select credit as account_id, amount as credit, 0 as debit from pair
    union all
    select debit, 0, amount from pair
    union all
    select account_id, credit, debit from closed_account) t
  group by account_id
),
day_sum as materialized (
  select account_id, sum(credit) as credit, sum(debit) as debit from account_day group by account_id
),
stranger as materialized (
  select debit, credit from pair
  where not exists (select 1 from account a where a.id = debit) or not exists (select 1 from account a where a.id = credit)
),
finding (name, id) as materialized (
  select 'ledger accounts', t.id::text from transfer t join stranger using (debit, credit)
    where exists (select 1 from stranger)

  union all
  select 'balances', 'account ' || a.id from account a left join leg on leg.account_id = a.id
    where a.id >= 1000 and a.balance <> coalesce(leg.amount, 0)

  union all
  select 'shop day sums', 'account ' || a.id from account a
    left join leg on leg.account_id = a.id left join day_sum d on d.account_id = a.id
    where a.id < 1000 and (coalesce(d.credit - d.debit, 0) <> coalesce(leg.amount, 0) or a.balance <> 0)

  union all
  -- Of the days whose hours are all counted.
  select 'hours of days', 'day ' || d.day
  from (
    select s.day, coalesce(sum(s.count) filter (where a.book = 'escrow'), 0) as orders,
           coalesce(sum(s.credit - s.debit) filter (where a.book = 'revenue'), 0) as revenue,
           coalesce(sum(s.debit) filter (where a.book like 'topup.%'), 0) as top_ups
    from account a join account_day s on s.account_id = a.id where a.id < 1000 group by s.day) d
  left join (
    select (hour at time zone 'UTC')::date as day, sum(orders) as orders, sum(revenue) as revenue, sum(top_ups) as top_ups
    from shop_hour group by 1) h on h.day = d.day
  where (d.day + 1)::timestamp at time zone 'UTC' < (select settled_at - interval '1 hour' from shop_hour_mark)
    and (d.orders, d.revenue, d.top_ups) is distinct from (coalesce(h.orders, 0), coalesce(h.revenue, 0), coalesce(h.top_ups, 0))

  union all
  select 'zero sum', 'all accounts' where
    (select coalesce(sum(balance), 0) from account)
    + (select coalesce(sum(d.credit - d.debit), 0) from day_sum d where d.account_id < 1000) <> 0

  union all
  select 'no overdraft', 'account ' || id from account where balance < 0

  union all
  select 'earnings by day', 'account ' || a.id from account a
    left join leg on leg.account_id = a.id left join day_sum d on d.account_id = a.id
    where a.book in ('referrals', 'soft', 'investor', 'referrals.held', 'soft.held', 'investor.held',
                     'referrals.asked', 'soft.asked', 'investor.asked')
      and (coalesce(d.credit, 0) <> coalesce(leg.credit, 0) or coalesce(d.debit, 0) <> coalesce(leg.debit, 0))
)
select i.name, i.says, array(select distinct coalesce(f.id, 'none') from finding f where f.name = i.name order by 1 limit 20) as bad
from (values
  (1, 'ledger accounts', 'each transfer is between two accounts that exist'),
  (2, 'balances', 'each balance is the sum of its account''s entries'),
  (3, 'shop day sums', 'the day sums of each shop account are the sum of its entries'),
  (4, 'hours of days', 'the hourly sums of each day that is over are its daily sums'),
  (5, 'zero sum', 'all balances together are zero'),
  (6, 'no overdraft', 'no balance is below zero'),
  (7, 'earnings by day', 'the day sums of partners and investors are their entries')
) as i (place, name, says)
order by i.place
