-- Closes pending orders without a letter; answers them with the buyer's balance. 'canceled': each by its own buyer (p_user beside
-- p_order), without waiting for unmatched letters: the buyer chose the refund. 'expired': those whose time is over. Locks: orders,
-- account, stock, account_day, outcome.
create function close_orders(p_order bigint[], p_user bigint[], p_status order_status, p_shard integer)
returns table (order_id bigint, user_id bigint, balance bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_now      timestamptz := clock_timestamp();
  today      date := (v_now at time zone 'UTC')::date;
  closed     orders[];
  first      orders[]; -- those that hold their mailboxes; reorders do not
  ids        bigint[];
  buyers     bigint[];
  has_tokens boolean;
begin
  if p_status not in ('canceled', 'expired') then
    raise exception 'orders are not closed as %', p_status;
  end if;

  -- 1. The orders that may be closed.
  select array_agg(o::orders), array_agg(o.id), array_agg(o.user_id), array_agg(o::orders) filter (where o.reorder_of is null),
         bool_or(o.token_id is not null)
    into closed, ids, buyers, first, has_tokens
    from (select o.* from orders o
          -- As text, so that no index of all pending orders seems to be as short a way as their ids.
          where o.id = any (p_order) and o.status::text = 'pending'
            and (p_status = 'expired' and o.expires_at <= v_now
              or p_status = 'canceled' and (o.id, o.user_id) in (select t.id, t.user_id from unnest(p_order, p_user) as t (id, user_id)))
          order by o.id for update) o;
  if closed is null then return; end if;

  -- 2. Their accounts and stock.
  perform 1 from account a where a.user_id = any (buyers) and a.book = 'balance' order by a.id for update;
  if first is not null then
    perform 1 from stock s
      where (s.site_id, s.domain_id) in (select o.site_id, o.domain_id from unnest(first) o)
      order by s.site_id, s.domain_id for update;
  end if;

  -- 3. Refunds, also to budgets of limited tokens, and returns the mailboxes.
  update orders o set status = p_status, closed_at = v_now where o.id = any (ids);
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select 1, a.id, o.price, o.id, v_now, 'refund'
    from unnest(closed) o
    join account a on a.user_id = o.user_id and a.book = 'balance'
    where o.price > 0;
  update account a set balance = a.balance + t.amount
    from (select o.user_id, sum(o.price)::bigint as amount from unnest(closed) o group by o.user_id) t
    where a.user_id = t.user_id and a.book = 'balance';
  if has_tokens then
    update user_token_day d set spent = d.spent - t.amount
      from (select o.token_id, sum(o.price)::bigint as amount from unnest(closed) o
            where o.token_id is not null and (o.created_at at time zone 'UTC')::date = today group by o.token_id) t
      where d.token_id = t.token_id and d.day = today;
  end if;
  perform leave_list(buyers, array(select o.number from unnest(closed) o), true);
  if first is not null then
    perform return_mailboxes(first, v_now);
  end if;

  -- 4. The day's sum, and the events.
  insert into account_day as old (account_id, day, shard, debit, unserved)
    select 1, today, p_shard, sum(o.price), count(*) from unnest(closed) o
    on conflict (account_id, day, shard) do update
      set debit = old.debit + excluded.debit, unserved = old.unserved + excluded.unserved;
  perform count_outcomes(ids, v_now, p_shard);
  perform log_events('activation', buyers, p_order => ids, p_status => array_fill(p_status::text, array[cardinality(ids)]));
  perform log_events('balance', array_agg(o.user_id), p_order => array_agg(o.id), p_status => array_agg(p_status::text),
                     p_balance => array_agg(a.balance), p_name => 'refund')
    from unnest(closed) o join account a on a.user_id = o.user_id and a.book = 'balance' where o.price > 0;
  perform log_events('balance', array_agg(a.user_id), p_balance => array_agg(a.balance))
    from account a where a.user_id = any (buyers) and a.book = 'balance';
  perform notify_changes(array(select distinct t.user_id from unnest(buyers) as t (user_id)));
  return query
    select o.id, o.user_id, a.balance
    from unnest(closed) o
    join account a on a.user_id = o.user_id and a.book = 'balance';
end $$;
