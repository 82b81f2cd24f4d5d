-- Ends held shares once each; answers their orders. 'released': to the investor. 'refused': to the shop. 'refunded': the whole price
-- to the buyer; the shop pays what partners earned by it. Locks: investor_share, account, account_day, batch_earning.
create function end_shares(p_order bigint[], p_state text, p_shard integer) returns setof bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_now  timestamptz := clock_timestamp();
  held   investor_share[];
  users  bigint[]; -- the investors
  buyers bigint[]; -- who get their price back
begin
  select array_agg(t::investor_share), array_agg(t.user_id), array_agg(t.buyer_id) filter (where p_state = 'refunded')
    into held, users, buyers
    from (select * from investor_share where order_id = any (p_order) and state = 'held' order by order_id for update) t;
  if held is null then return; end if;

  if p_state = 'released' then
    perform open_accounts(users, array_fill('investor'::text, array[cardinality(users)]));
  end if;
  perform 1 from account a
    where a.id in (
      select b.id from account b where b.user_id = any (users) and b.book in ('investor', 'investor.held')
      union all
      select b.id from account b where b.user_id = any (buyers) and b.book = 'balance')
    order by a.id for update;

  update investor_share set state = p_state, decided_at = v_now, due_at = null,
      complained_at = case when p_state = 'refunded' then coalesce(complained_at, v_now) else complained_at end,
      complaint = case when p_state = 'refunded' then 'refunded' when complaint = 'review' then 'rejected' else complaint end
    where order_id = any (array(select s.order_id from unnest(held) s));
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select h.id, coalesce(a.id, 2), s.amount, s.order_id, v_now,
           case p_state when 'released' then 'release' else 'forfeit' end::transfer_kind
    from unnest(held) s
    join account h on h.user_id = s.user_id and h.book = 'investor.held'
    left join account a on p_state = 'released' and a.user_id = s.user_id and a.book = 'investor';
  update account a set balance = a.balance + case a.book when 'investor' then t.amount else -t.amount end
    from (select s.user_id, sum(s.amount)::bigint as amount from unnest(held) s group by s.user_id) t
    where a.user_id = t.user_id and (a.book = 'investor.held' or a.book = 'investor' and p_state = 'released');
  insert into account_day as old (account_id, day, shard, credit, debit, count)
    select t.account_id, (v_now at time zone 'UTC')::date, t.shard, sum(t.credit), sum(t.debit), sum(t.count)
    from (
      select 2::bigint as account_id, p_shard as shard, s.amount as credit, case p_state when 'refunded' then o.price else 0 end as debit,
             0 as count
      from unnest(held) s join orders o on o.id = s.order_id
      where p_state <> 'released'
      union all
      select a.id, 0, case a.book when 'investor' then s.amount else 0 end, case a.book when 'investor' then 0 else s.amount end,
             case a.book when 'investor' then 1 else 0 end
      from unnest(held) s
      join account a on a.user_id = s.user_id and (a.book = 'investor.held' or a.book = 'investor' and p_state = 'released')) t
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
    perform refund_prices(array(select s.order_id from unnest(held) s), buyers, v_now);
  end if;
  perform notify_changes(users || buyers);
  return query select s.order_id from unnest(held) s;
end $$;
