-- Orders the mailbox of a received order once more, for the same site, at today's price.
-- It takes nothing from the stock: the first order holds the mailbox for good. Answers one row; the codes:
--   ok             the reorder is placed and paid
--   repeat         a reorder of this mailbox waits already, or the key names an order not older than p_key_life: that one is answered
--   no user        he does not exist, is not activated or is blocked
--   no activation  there is no received order of that id of his
--   no site        it has been blocked
--   banned         the mailbox died
--   limit          the user has no room for more free orders
--   no balance     the price is above the balance; both are answered
-- Locks: orders, account, account_day.
create function reorder_order(
  p_user bigint, p_order bigint, p_subject text, p_regex text, p_soft bigint, p_key text,
  p_ttl interval, p_key_life interval, p_shard integer
) returns table (code text, order_id bigint, address text, price bigint, balance bigint, expires_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_at timestamptz := clock_timestamp();
  v_first orders%rowtype;
  v_account bigint; v_balance bigint; v_number integer; v_may boolean;
  v_address text; v_price bigint; v_dead boolean; v_blocked boolean;
  v_old bigint; v_new bigint;
begin
  if p_key is not null then
    perform free_keys(array[p_user], array[p_key], p_key_life);
  end if;

  -- 1. The order whose mailbox is wanted again. Its lock keeps two reorders of it apart; the buyer's keeps all of his apart.
  select * into v_first from orders o where o.id = p_order and o.user_id = p_user and o.status = 'received' for update;
  perform 1 from account a where a.user_id = p_user and a.book = 'balance' for update;
  select a.id, a.balance, b.orders_count, users.activated_at is not null and users.blocked_at is null
    into v_account, v_balance, v_number, v_may
    from account a join buyer b on b.user_id = a.user_id join users on users.id = a.user_id
    where a.user_id = p_user and a.book = 'balance';
  if v_may is not true then
    return query select 'no user', null::bigint, null::text, null::bigint, null::bigint, null::timestamptz;
    return;
  end if;

  -- 2. What was ordered already: under this key, or for this mailbox and still without a letter.
  select o.id into v_old from orders o where o.user_id = p_user and o.idempotency_key = p_key;
  if v_old is null then
    select o.id into v_old from orders o
      where o.mailbox_id = v_first.mailbox_id and o.site_id = v_first.site_id and o.user_id = p_user
        and o.status = 'pending' and o.reorder_of is not null;
  end if;
  if v_old is not null then
    return query
      select 'repeat', o.id, m.local_part || '@' || d.name, o.price, v_balance, o.expires_at
      from orders o join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id where o.id = v_old;
    return;
  end if;
  if v_first.id is null then
    return query select 'no activation', null::bigint, null::text, null::bigint, v_balance, null::timestamptz;
    return;
  end if;

  -- 3. Whether it can be had.
  select m.local_part || '@' || d.name, d.price, m.dead, site.blocked into v_address, v_price, v_dead, v_blocked
    from mailbox m join mail_domain d on d.id = m.domain_id join site on site.id = v_first.site_id
    where m.id = v_first.mailbox_id;
  if v_blocked or v_dead or v_balance < v_price or v_price = 0 and sandbox_room(p_user) <= 0 then
    return query
      select case when v_blocked then 'no site' when v_dead then 'banned' when v_price = 0 then 'limit' else 'no balance' end,
             null::bigint, v_address, v_price, v_balance, null::timestamptz;
    return;
  end if;

  -- 4. Order, hold, balance.
  insert into orders (user_id, mailbox_id, price, created_at, expires_at, soft_id, reorder_of, site_id, domain_id, number, subject, regex, idempotency_key)
    values (p_user, v_first.mailbox_id, v_price, v_at, v_at + p_ttl, p_soft, v_first.id, v_first.site_id, v_first.domain_id, v_number + 1,
            p_subject, p_regex, p_key)
    returning id into v_new;
  if v_price = 0 then
    perform plan_sandbox(array[v_new]);
  else
    insert into transfer (debit, credit, amount, order_id, at, kind) values (v_account, 1, v_price, v_new, v_at, 'hold');
  end if;
  update account a set balance = a.balance - v_price where a.id = v_account;
  update buyer b set orders_count = b.orders_count + 1, revision = b.revision + 1 where b.user_id = p_user;
  insert into account_day as old (account_id, day, shard, credit, count)
    values (1, (v_at at time zone 'UTC')::date, p_shard, v_price, 1)
    on conflict (account_id, day, shard) do update
      set credit = old.credit + excluded.credit, count = old.count + excluded.count;
  perform log_events('activation', array[p_user], p_order => array[v_new], p_status => array['pending']);
  perform log_events('balance', array[p_user], p_balance => array[v_balance - v_price]);
  perform tell(array[p_user]);
  return query select 'ok', v_new, v_address, v_price, v_balance - v_price, v_at + p_ttl;
end $$;
