-- Ends held shares of investors, once each. 'released': the share becomes the investor's. 'refused': the shop's. 'refunded': the buyer
-- gets the whole price back, the share and the shop's part; what partners earned by the order the shop pays.
-- Answers the orders whose shares were held until now. Locks: investor_share, account, account_day, batch_earning.
create function end_shares(p_order bigint[], p_state text, p_shard integer) returns setof bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_at timestamptz := clock_timestamp();
  v_day date := (v_at at time zone 'UTC')::date;
  s_order bigint[]; s_batch integer[]; s_user bigint[]; s_buyer bigint[]; s_amount bigint[]; s_price bigint[];
  v_total bigint; v_price bigint;
  b_user bigint[]; b_balance bigint[];
begin
  select array_agg(t.order_id), array_agg(t.batch_id), array_agg(t.user_id), array_agg(t.buyer_id), array_agg(t.amount), sum(t.amount)
    into s_order, s_batch, s_user, s_buyer, s_amount, v_total
    from (select * from investor_share where order_id = any (p_order) and state = 'held' order by order_id for update) t;
  if s_order is null then return; end if;
  if p_state = 'refunded' then
    select array_agg(o.price order by t.place), sum(o.price) into s_price, v_price
      from unnest(s_order) with ordinality as t (order_id, place) join orders o on o.id = t.order_id;
  end if;

  if p_state = 'released' then
    perform open_accounts(s_user, array_fill('investor'::text, array[cardinality(s_user)]));
  end if;
  perform 1 from account a
    where a.id in (
      select b.id from account b where b.user_id = any (s_user) and b.book in ('investor', 'investor.held')
      union all
      select b.id from account b where p_state = 'refunded' and b.user_id = any (s_buyer) and b.book = 'balance')
    order by a.id for update;

  update investor_share set state = p_state, decided_at = v_at, due_at = null,
      complained_at = case when p_state = 'refunded' then coalesce(complained_at, v_at) else complained_at end,
      complaint = case when p_state = 'refunded' then 'refunded' when complaint = 'review' then 'rejected' else complaint end
    where order_id = any (s_order);
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select h.id, coalesce(a.id, 2), t.amount, t.order_id, v_at,
           case p_state when 'released' then 'release' else 'forfeit' end::transfer_kind
    from unnest(s_order, s_user, s_amount) as t (order_id, user_id, amount)
    join account h on h.user_id = t.user_id and h.book = 'investor.held'
    left join account a on p_state = 'released' and a.user_id = t.user_id and a.book = 'investor';
  update account a set balance = a.balance + case a.book when 'investor' then t.amount else -t.amount end
    from (select t.user_id, sum(t.amount)::bigint as amount from unnest(s_user, s_amount) as t (user_id, amount) group by t.user_id) t
    where a.user_id = t.user_id and (a.book = 'investor.held' or a.book = 'investor' and p_state = 'released');
  insert into account_day as old (account_id, day, shard, credit, debit, count)
    select t.account_id, v_day, t.shard, sum(t.credit), sum(t.debit), sum(t.count)
    from (
      select 2::bigint as account_id, p_shard as shard, v_total as credit, coalesce(v_price, 0) as debit, 0 as count
      where p_state <> 'released'
      union all
      select a.id, 0, case a.book when 'investor' then t.amount else 0 end, case a.book when 'investor' then 0 else t.amount end,
             case a.book when 'investor' then 1 else 0 end
      from unnest(s_user, s_amount) as t (user_id, amount)
      join account a on a.user_id = t.user_id and (a.book = 'investor.held' or a.book = 'investor' and p_state = 'released')) t
    group by t.account_id, t.shard order by t.account_id, t.shard
    on conflict (account_id, day, shard) do update
      set credit = old.credit + excluded.credit, debit = old.debit + excluded.debit, count = old.count + excluded.count;
  insert into batch_earning as old (batch_id, shard, amount, count, held, held_count)
    select t.batch_id, p_shard, case p_state when 'released' then sum(t.amount) else 0 end,
           case p_state when 'released' then count(*) else 0 end, -sum(t.amount), -count(*)
    from unnest(s_batch, s_amount) as t (batch_id, amount) group by t.batch_id order by t.batch_id
    on conflict (batch_id, shard) do update
      set amount = old.amount + excluded.amount, count = old.count + excluded.count,
          held = old.held + excluded.held, held_count = old.held_count + excluded.held_count;

  if p_state = 'refunded' then
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select 2, a.id, t.price, t.order_id, v_at, 'refund'
      from unnest(s_order, s_buyer, s_price) as t (order_id, user_id, price)
      join account a on a.user_id = t.user_id and a.book = 'balance';
    update account a set balance = a.balance + t.price
      from (select t.user_id, sum(t.price)::bigint as price from unnest(s_buyer, s_price) as t (user_id, price) group by t.user_id) t
      where a.user_id = t.user_id and a.book = 'balance';
    update buyer b set revision = b.revision + 1 where b.user_id = any (s_buyer);
    select array_agg(a.user_id), array_agg(a.balance) into b_user, b_balance
      from account a where a.user_id = any (s_buyer) and a.book = 'balance';
    perform log_events('balance', b_user, p_balance => b_balance);
  end if;
  perform tell(s_user || b_user);
  return query select unnest(s_order);
end $$;
