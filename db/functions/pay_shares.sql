-- Moves prices out of escrow: shares, the rest to the shop. The caller holds the earners' accounts. Locks: account_day.
create function pay_shares(p_order bigint[], p_shares earned_share[], p_now timestamptz, p_shard integer) returns void
language plpgsql as $$
declare
  total bigint := (select sum(o.price) from orders o where o.id = any (p_order));
begin
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select 1, a.id, s.amount, s.order_id, p_now,
           case split_part(s.book, '.', 1) when 'referrals' then 'referral' when 'soft' then 'soft' else 'investor' end::transfer_kind
    from unnest(p_shares) s
    join account a on a.user_id = s.user_id and a.book = s.book;
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select 1, 2, o.price - coalesce(s.amount, 0), o.id, p_now, 'capture'
    from orders o
    left join (select s.order_id, sum(s.amount)::bigint as amount from unnest(p_shares) s group by s.order_id) s on s.order_id = o.id
    where o.id = any (p_order) and o.price > coalesce(s.amount, 0);
  update account a set balance = a.balance + s.amount
    from (select s.user_id, s.book, sum(s.amount)::bigint as amount from unnest(p_shares) s group by s.user_id, s.book) s
    where a.user_id = s.user_id and a.book = s.book;
  insert into account_day as old (account_id, day, shard, credit, debit, count)
    select t.account_id, (p_now at time zone 'UTC')::date, t.shard, sum(t.credit), sum(t.debit), sum(t.count)
    from (
      select 1::bigint as account_id, p_shard as shard, 0::bigint as credit, total as debit, 0 as count
      union all
      select 2, p_shard, total - coalesce(sum(s.amount), 0), 0, cardinality(p_order) from unnest(p_shares) s
      union all
      select a.id, 0, s.amount, 0, 1
        from unnest(p_shares) s
        join account a on a.user_id = s.user_id and a.book = s.book) t
    group by t.account_id, t.shard order by t.account_id, t.shard
    on conflict (account_id, day, shard) do update
      set credit = old.credit + excluded.credit, debit = old.debit + excluded.debit, count = old.count + excluded.count;
end $$;
