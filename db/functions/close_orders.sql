-- Closes pending orders without a letter: refunds them and gives their mailboxes back to the stock.
-- A cancel does not wait for letters that are not judged yet, as expire_due does: the buyer asks for his money and not for the letter,
-- which he cannot have read anywhere by then, and what closes first is what holds (deliver_letters leaves closed orders out).
-- 'canceled': each by its own buyer (p_user beside p_order). 'expired': only those whose time is over (p_user is not looked at).
-- Answers what was really closed, with the buyer's balance after it. Locks: orders, account, stock, account_day, outcome.
create function close_orders(p_order bigint[], p_user bigint[], p_status order_status, p_shard integer)
returns table (order_id bigint, user_id bigint, balance bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_at timestamptz := clock_timestamp();
  v_day date := (v_at at time zone 'UTC')::date;
  v_total bigint;
  o_id bigint[]; o_user bigint[]; o_number integer[]; o_price bigint[];
  -- Only first orders hold their mailbox: a reorder has nothing to give back.
  h_mailbox bigint[]; h_site integer[]; h_domain integer[];
  -- What limited tokens spent today.
  t_id bigint[]; t_price bigint[];
  b_user bigint[]; b_balance bigint[];
begin
  if p_status not in ('canceled', 'expired') then
    raise exception 'orders are not closed as %', p_status;
  end if;

  -- 1. The orders that may be closed.
  select array_agg(o.id), array_agg(o.user_id), array_agg(o.number), array_agg(o.price), sum(o.price),
         array_agg(o.mailbox_id) filter (where o.reorder_of is null),
         array_agg(o.site_id) filter (where o.reorder_of is null),
         array_agg(o.domain_id) filter (where o.reorder_of is null),
         array_agg(o.token_id) filter (where o.token_id is not null and (o.created_at at time zone 'UTC')::date = v_day),
         array_agg(o.price) filter (where o.token_id is not null and (o.created_at at time zone 'UTC')::date = v_day)
    into o_id, o_user, o_number, o_price, v_total, h_mailbox, h_site, h_domain, t_id, t_price
    from (select o.* from orders o
          where o.id = any (p_order) and o.status = 'pending'
            and (p_status = 'expired' and o.expires_at <= v_at
              or p_status = 'canceled' and (o.id, o.user_id) in (select t.id, t.user_id from unnest(p_order, p_user) as t (id, user_id)))
          order by o.id for update) o;
  if o_id is null then return; end if;

  -- 2. Whom and what they belong to.
  perform 1 from account a where a.user_id = any (o_user) and a.book = 'balance' order by a.id for update;
  perform 1 from stock s
    where (s.site_id, s.domain_id) in (select t.site_id, t.domain_id from unnest(h_site, h_domain) as t (site_id, domain_id))
    order by s.site_id, s.domain_id for update;

  -- 3. The money goes back.
  update orders o set status = p_status, closed_at = v_at where o.id = any (o_id);
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select 1, a.id, t.price, t.id, v_at, 'refund'
    from unnest(o_id, o_user, o_price) as t (id, user_id, price)
    join account a on a.user_id = t.user_id and a.book = 'balance'
    where t.price > 0;
  update account a set balance = a.balance + t.amount
    from (select t.user_id, sum(t.price)::bigint as amount from unnest(o_user, o_price) as t (user_id, price) group by t.user_id) t
    where a.user_id = t.user_id and a.book = 'balance';
  perform leave_list(o_user, o_number, true);
  if t_id is not null then
    update user_token_day d set spent = d.spent - t.amount
      from (select t.id, sum(t.price)::bigint as amount from unnest(t_id, t_price) as t (id, price) group by t.id) t
      where d.token_id = t.id and d.day = v_day;
  end if;

  -- 4. The mailboxes go back. One that is dead or must no longer serve the site waits, and was not counted as taken for the order.
  insert into returned (site_id, domain_id, lot_id, mailbox_id, at, hidden)
    select t.site_id, t.domain_id, m.lot_id, m.id, v_at,
           (case when block.site_id is not null then 1 else 0 end) | (case when m.dead then 2 else 0 end)
    from unnest(h_site, h_domain, h_mailbox) as t (site_id, domain_id, mailbox_id)
    join mailbox m on m.id = t.mailbox_id
    join lot l on l.id = m.lot_id
    left join batch_block block on block.batch_id = l.batch_id and block.site_id = t.site_id;
  update stock s set taken = s.taken - t.count
    from (select t.site_id, t.domain_id, count(*)
          from unnest(h_site, h_domain, h_mailbox) as t (site_id, domain_id, mailbox_id)
          join returned r on r.site_id = t.site_id and r.mailbox_id = t.mailbox_id and r.hidden = 0
          group by t.site_id, t.domain_id) t
    where s.site_id = t.site_id and s.domain_id = t.domain_id;

  -- 5. The day's sum, and the news.
  insert into account_day as old (account_id, day, shard, debit, unserved)
    values (1, v_day, p_shard, v_total, cardinality(o_id))
    on conflict (account_id, day, shard) do update
      set debit = old.debit + excluded.debit, unserved = old.unserved + excluded.unserved;
  perform count_outcomes(o_id, v_at, p_shard);
  select array_agg(a.user_id), array_agg(a.balance) into b_user, b_balance
    from account a where a.user_id = any (o_user) and a.book = 'balance';
  perform log_events('activation', o_user, p_order => o_id, p_status => array_fill(p_status::text, array[cardinality(o_id)]));
  perform log_events('balance', b_user, p_balance => b_balance);
  perform tell(b_user);
  return query
    select t.id, t.user_id, a.balance
    from unnest(o_id, o_user) as t (id, user_id)
    join account a on a.user_id = t.user_id and a.book = 'balance';
end $$;
