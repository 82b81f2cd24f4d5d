-- Ends held shares once each; answers their orders. 'released': to the investor. 'refused': to the shop. 'refunded': the whole price
-- to the buyer, and what partners would have earned by it to the shop; else that ends as the ties say (end_waiting_shares).
-- Locks: investor_share, partner_tie, account, account_day, batch_earning.
create function end_shares(p_order bigint[], p_state text, p_shard integer) returns setof bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  held    investor_share[];
  buyers  bigint[]; -- who get their price back
  ends    share_end[];
  earners bigint[];
begin
  select array_agg(t::investor_share), array_agg(t.buyer_id) filter (where p_state = 'refunded')
    into held, buyers
    from (select * from investor_share where order_id = any (p_order) and state = 'held' order by order_id for update) t;
  if held is null then return; end if;

  ends := array(select row(s.order_id, s.user_id, 'investor', case p_state when 'released' then 'investor' end, s.amount)::share_end
                from unnest(held) s)
    || end_waiting_shares(array(select s.order_id from unnest(held) s), p_state, v_now);
  earners := array(select e.user_id from unnest(ends) e);
  perform open_accounts(array_agg(e.user_id), array_agg(e.gains)) from unnest(ends) e where e.gains is not null;
  perform 1 from account a
    where a.id in (
      select b.id from unnest(ends) e join account b on b.user_id = e.user_id and b.book in (e.book || '.held', e.gains)
      union all
      select b.id from account b where b.user_id = any (buyers) and b.book = 'balance')
    order by a.id for update;

  update investor_share set state = p_state, decided_at = v_now, due_at = null,
      complained_at = case when p_state = 'refunded' then coalesce(complained_at, v_now) else complained_at end,
      complaint = case when p_state = 'refunded' then 'refunded' when complaint = 'review' then 'rejected' else complaint end
    where order_id = any (array(select s.order_id from unnest(held) s));
  -- An order has one transfer of each kind, which is the investor's; those of partners are named by their key.
  insert into transfer (debit, credit, amount, order_id, idempotency_key, at, kind)
    select h.id, coalesce(a.id, 2), e.amount, case e.book when 'investor' then e.order_id end,
           case when e.book <> 'investor' then 'share ' || e.order_id || ' ' || e.book end, v_now,
           case when e.gains is null then 'forfeit' else 'release' end::transfer_kind
    from unnest(ends) e
    join account h on h.user_id = e.user_id and h.book = e.book || '.held'
    left join account a on a.user_id = e.user_id and a.book = e.gains;
  update account a set balance = a.balance + t.amount
    from (
      select m.user_id, m.book, sum(m.amount)::bigint as amount
      from (select e.user_id, e.book || '.held' as book, -e.amount as amount from unnest(ends) e
            union all
            select e.user_id, e.gains, e.amount from unnest(ends) e where e.gains is not null) m
      group by m.user_id, m.book) t
    where a.user_id = t.user_id and a.book = t.book;
  insert into account_day as old (account_id, day, shard, credit, debit, count)
    select t.account_id, (v_now at time zone 'UTC')::date, t.shard, sum(t.credit), sum(t.debit), sum(t.count)
    from (
      select 2::bigint as account_id, p_shard as shard, e.amount as credit, 0::bigint as debit, 0 as count
      from unnest(ends) e where e.gains is null
      union all
      select 2, p_shard, 0, o.price, 0
      from unnest(held) s join orders o on o.id = s.order_id where p_state = 'refunded'
      union all
      select a.id, 0, case a.book when e.gains then e.amount else 0 end, case a.book when e.gains then 0 else e.amount end,
             case a.book when e.gains then 1 else 0 end
      from unnest(ends) e
      join account a on a.user_id = e.user_id and a.book in (e.book || '.held', e.gains)) t
    group by t.account_id, t.shard order by t.account_id, t.shard
    on conflict (account_id, day, shard) do update
      set credit = old.credit + excluded.credit, debit = old.debit + excluded.debit, count = old.count + excluded.count;
  insert into batch_earning as old (batch_id, shard, amount, count, held, held_count)
    select s.batch_id, p_shard, case p_state when 'released' then sum(s.amount) else 0 end,
           case p_state when 'released' then count(*) else 0 end, -sum(s.amount), -count(*)
    from unnest(held) s group by s.batch_id order by s.batch_id
    on conflict (batch_id, shard) do update
      set amount = old.amount + excluded.amount, count = old.count + excluded.count,
          held = old.held + excluded.held, held_count = old.held_count + excluded.held_count;

  if buyers is not null then
    -- Under review since before: the operator decided it. Else the complaint itself is paid back.
    perform refund_prices(array_agg(s.order_id), buyers,
                          array_agg(case when s.complaint = 'review' then 'operator' else 'not from site' end), v_now)
      from unnest(held) s;
  end if;
  perform notify_changes(earners || buyers);
  return query select s.order_id from unnest(held) s;
end $$;
