-- Writes decided asks to all tables, with events. The caller holds the accounts and stock rows. Locks: account_day.
create function write_orders(
  p_asks batch_ask[], p_buyers batch_buyer[], p_tokens batch_token[],
  p_subject text[], p_regex text[], p_soft bigint[], p_key text[], p_quantity smallint[], p_token bigint[],
  p_now timestamptz, p_shard integer, p_note text[]
) returns void
language plpgsql as $$
#variable_conflict use_column
declare
  today   date := (p_now at time zone 'UTC')::date;
  total   record;
  one     record;
  numbers integer[]; -- of each buyer: the number of the last order before these
  users   bigint[];
  watched boolean := false;
begin
  select count(*) as orders, sum(a.price) as price, bool_or(a.price = 0) as has_free, bool_or(a.is_hosted) as has_hosted
    into total from unnest(p_asks) a where a.code = 'ok';
  if total.orders = 0 then
    return;
  end if;

  update account a set balance = b.balance - b.spent
    from unnest(p_buyers) b where a.id = b.account_id and b.spent > 0;
  for one in
    update buyer b set orders_count = b.orders_count + t.placed, waiting_count = b.waiting_count + t.placed, revision = b.revision + 1
      from unnest(p_buyers) with ordinality t where b.user_id = t.user_id and t.placed > 0
      returning b.user_id, t.ordinality as place, b.orders_count - t.placed as last,
                coalesce(b.watched_until > p_now, false) as is_watched
  loop
    numbers[one.place] := one.last;
    users := users || one.user_id;
    watched := watched or one.is_watched;
  end loop;

  insert into orders (id, user_id, mailbox_id, price, created_at, expires_at, soft_id, reorder_of, site_id, domain_id, number,
                      subject, regex, idempotency_key, quantity, token_id, note)
    overriding system value
    select a.order_id, p_buyers[a.buyer].user_id, a.mailbox_id, a.price, p_now, a.expires_at,
           case when a.reorder_of is null then p_soft[a.place]
                else coalesce(p_soft[a.place], (select first.soft_id from orders first where first.id = a.reorder_of)) end, a.reorder_of,
           a.site_id, a.domain_id, numbers[a.buyer] + a.nth,
           p_subject[a.place], p_regex[a.place], p_key[a.place], p_quantity[a.place], p_token[a.place], p_note[a.place]
    from unnest(p_asks) a where a.code = 'ok';
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select p_buyers[a.buyer].account_id, 1, a.price, a.order_id, p_now, 'hold'
    from unnest(p_asks) a where a.code = 'ok' and a.price > 0;
  insert into account_day as old (account_id, day, shard, credit, count)
    values (1, today, p_shard, total.price, total.orders)
    on conflict (account_id, day, shard) do update
      set credit = old.credit + excluded.credit, count = old.count + excluded.count;
  if p_token is not null then
    insert into user_token_day as old (token_id, day, spent)
      select t.id, today, t.spent from unnest(p_tokens) t where t.spent > 0 order by t.id
      on conflict (token_id, day) do update set spent = old.spent + excluded.spent;
  end if;
  if total.has_free then
    perform plan_sandbox(array_agg(a.order_id)) from unnest(p_asks) a where a.code = 'ok';
  end if;
  if total.has_hosted then
    perform note_hosted(array_agg(a.order_id)) from unnest(p_asks) a where a.code = 'ok' and a.is_hosted;
  end if;

  if watched then
    perform log_events('activation', array_agg(p_buyers[a.buyer].user_id order by a.place),
                       p_order => array_agg(a.order_id order by a.place), p_status => array_agg('pending'::text))
      from unnest(p_asks) a where a.code = 'ok';
    perform log_events('balance', array_agg(b.user_id), p_balance => array_agg(b.balance - b.spent))
      from unnest(p_buyers) b where b.spent > 0;
  end if;
  perform notify_changes(users);
end $$;
