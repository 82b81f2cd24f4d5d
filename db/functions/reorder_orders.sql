-- Orders the mailboxes of received orders once more, for the same sites, at today's price: many asks, one commit.
-- They take nothing from the stock: the first order holds the mailbox for good. An ask names the first order by its id, or (p_order
-- null) by address and site: then the latest one is meant. One answer for each ask, in the order of the asks:
--   ok             the reorder is placed and paid
--   repeat         a reorder of this mailbox waits already, or the key names an order not older than p_key_life: that one is answered.
--                  Whether it is what is asked for now is for the caller to compare
--   again          the same mailbox or key twice in this call: ask again, it will be a repeat
--   token          he does not exist, is not activated or is blocked; or the token is not his, or over
--   no activation  there is no such received order of his
--   site           it has been blocked
--   email banned   the mailbox died
--   limit          the user has no room for more free orders
--   token limit    the site, the price or what is left of the budget of the day is beyond the limits of the token; unless it is the site, the price is answered
--   no balance     the price is above the balance; both are answered
-- Locks: orders (keys that are a day old), account, account_day.
create function reorder_orders(
  p_user bigint[], p_order bigint[], p_local_part text[], p_domain text[], p_site integer[],
  p_subject text[], p_regex text[], p_soft bigint[], p_key text[], p_token bigint[],
  p_ttl interval, p_key_life interval, p_shard integer
) returns table (
  ask integer, code text, order_id bigint, address text, site text, price bigint, balance bigint, expires_at timestamptz
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set join_collapse_limit = 1
as $$
#variable_conflict use_column
declare
  v_count integer := cardinality(p_user);
  v_at    timestamptz := clock_timestamp();
  v_day   date := (v_at at time zone 'UTC')::date;
  i integer; j integer; u integer;
  -- buyers
  u_id bigint[]; u_account bigint[]; u_balance bigint[]; u_left bigint[]; u_may boolean[]; u_room integer[]; u_number integer[];
  -- limited tokens
  t_id bigint[]; t_user bigint[]; t_price_max bigint[]; t_left bigint[]; t_spent bigint[];
  -- asks: the order that is meant, and what each gets
  f_order bigint[]; f_price bigint[]; f_dead boolean[]; f_blocked boolean[]; f_hosted boolean[]; f_allowed boolean[];
  r_buyer integer[]; r_code text[]; r_order bigint[]; r_price bigint[]; r_number integer[];
  v_accepted integer := 0; v_total bigint := 0;
  n_user bigint[]; n_order bigint[]; n_balance bigint[];
begin
  if v_count = 0 then return; end if;
  if p_key is not null then
    perform free_keys(p_user, p_key, p_key_life);
  end if;

  -- 1. The buyers. Their locks keep all reorders of an order apart: only its buyer can ask for one.
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
  select array_agg(a.user_id), array_agg(a.id), array_agg(a.balance), array_agg(b.orders_count),
         array_agg(users.activated_at is not null and users.blocked_at is null)
    into u_id, u_account, u_balance, u_number, u_may
    from account a join buyer b on b.user_id = a.user_id join users on users.id = a.user_id
    where a.user_id = any (p_user) and a.book = 'balance';
  u_left := u_balance;
  if p_token is not null then
    select array_agg(t.id), array_agg(t.user_id), array_agg(t.price_max), array_agg(t.budget_day - coalesce(d.spent, 0))
      into t_id, t_user, t_price_max, t_left
      from user_token t left join user_token_day d on d.token_id = t.id and d.day = v_day
      where t.id = any (p_token) and t.revoked_at is null and (t.expires_at is null or t.expires_at > v_at);
    t_spent := array_fill(0::bigint, array[coalesce(cardinality(t_id), 0)]);
  end if;

  -- 2. The orders that are meant, and what was ordered already: under the key, or for the mailbox and still without a letter.
  with meant as (
    select t.ask, t.user_id, t.key, t.token_id, first.id, first.mailbox_id, first.site_id
    from unnest(p_user, p_order, p_local_part, p_domain, p_site, p_key, p_token)
      with ordinality as t (user_id, order_id, local_part, domain, site_id, key, token_id, ask)
    left join lateral (
      (select o.id, o.mailbox_id, o.site_id from orders o
        where o.id = t.order_id and o.user_id = t.user_id and o.status = 'received')
      union all
      (select o.id, o.mailbox_id, o.site_id
        from mail_domain d
        join mailbox m on m.domain_id = d.id and m.local_part = t.local_part
        cross join lateral (
          -- By the mailbox, never by the user, who may have millions of orders: "limit" and "offset" keep these as they stand.
          (select * from orders o where o.mailbox_id = m.id and o.site_id = t.site_id
             and o.status in ('pending', 'received') and o.reorder_of is null limit 1)
          union all
          (select * from orders o where o.mailbox_id = m.id and o.site_id = t.site_id
             and o.status in ('pending', 'received') and o.reorder_of is not null offset 0)
        ) o
        where t.order_id is null and d.name = t.domain and o.user_id = t.user_id and o.status = 'received'
        order by o.id desc limit 1)
    ) first on true
  )
  select array_agg(t.id order by t.ask), array_agg(d.price order by t.ask), array_agg(m.dead order by t.ask),
         array_agg(site.blocked order by t.ask), array_agg(d.kind = 'hosted' order by t.ask),
         array_agg(t.token_id is null or t.site_id = any (coalesce(token.sites, array[t.site_id])) order by t.ask),
         array_agg(b.place::integer order by t.ask),
         array_agg(coalesce(named.id, waits.id) order by t.ask),
         array_agg(case when coalesce(named.id, waits.id) is not null then 'repeat'
                        when t.id is not null and t.nth_of_mailbox > 1 or t.key is not null and t.nth_of_key > 1 then 'again' end order by t.ask)
    into f_order, f_price, f_dead, f_blocked, f_hosted, f_allowed, r_buyer, r_order, r_code
    from (select *, row_number() over (partition by meant.mailbox_id, meant.site_id order by meant.ask) as nth_of_mailbox,
                 row_number() over (partition by meant.user_id, meant.key order by meant.ask) as nth_of_key from meant) t
    left join unnest(u_id) with ordinality as b (id, place) on b.id = t.user_id
    left join mailbox m on m.id = t.mailbox_id
    left join mail_domain d on d.id = m.domain_id
    left join site on site.id = t.site_id
    left join user_token token on token.id = t.token_id
    left join orders named on named.user_id = t.user_id and named.idempotency_key = t.key
    -- At most one; said so that it is looked up for each and all that wait are not read for every batch.
    left join lateral (
      select o.id from orders o
      where o.mailbox_id = t.mailbox_id and o.site_id = t.site_id and o.user_id = t.user_id
        and o.status = 'pending' and o.reorder_of is not null limit 1) waits on true;
  r_price := array_fill(null::bigint, array[v_count]);
  r_number := array_fill(null::integer, array[v_count]);
  if 0 = any (f_price) then
    select array_agg(sandbox_room(t.id) order by t.place) into u_room from unnest(u_id) with ordinality as t (id, place);
  end if;

  -- 3. Who gets one, in the order of arrival.
  for j in 1 .. v_count loop
    u := r_buyer[j];
    i := case when p_token[j] is not null then coalesce(array_position(t_id, p_token[j]), 0) end;
    if u_may[u] is not true or i = 0 or t_user[i] <> p_user[j] then
      r_code[j] := 'token';
    elsif f_order[j] is not null and not f_allowed[j] then
      -- Before a repeat is answered: it names an address.
      r_code[j] := 'token limit';
      r_order[j] := null;
    elsif r_code[j] is not null then
      continue;
    elsif f_order[j] is null then
      r_code[j] := 'no activation';
    elsif f_blocked[j] then
      r_code[j] := 'site';
    elsif f_dead[j] then
      r_code[j] := 'email banned';
    elsif f_price[j] = 0 and u_room[u] <= 0 then
      r_code[j] := 'limit';
    elsif f_price[j] > t_price_max[i] or t_spent[i] + f_price[j] > t_left[i] then
      r_code[j] := 'token limit';
      r_price[j] := f_price[j];
    elsif f_price[j] > u_left[u] then
      r_code[j] := 'no balance';
      r_price[j] := f_price[j];
    else
      r_code[j] := 'ok';
      r_order[j] := nextval('orders_id_seq');
      r_price[j] := f_price[j];
      u_left[u] := u_left[u] - f_price[j];
      u_number[u] := u_number[u] + 1;
      r_number[j] := u_number[u];
      if f_price[j] = 0 then u_room[u] := u_room[u] - 1; end if;
      if i is not null then t_spent[i] := t_spent[i] + f_price[j]; end if;
      v_accepted := v_accepted + 1;
      v_total := v_total + f_price[j];
    end if;
  end loop;

  -- 4. Orders, holds, balances.
  if v_accepted > 0 then
    insert into orders (id, user_id, mailbox_id, price, created_at, expires_at, soft_id, reorder_of, site_id, domain_id, number,
                        subject, regex, idempotency_key, token_id)
      overriding system value
      select t.id, t.user_id, o.mailbox_id, t.price, v_at, v_at + p_ttl, t.soft_id, o.id, o.site_id, o.domain_id, t.number,
             t.subject, t.regex, t.key, t.token_id
      from unnest(r_code, r_order, p_user, r_price, p_soft, f_order, r_number, p_subject, p_regex, p_key, p_token)
        as t (code, id, user_id, price, soft_id, first_id, number, subject, regex, key, token_id)
      join orders o on o.id = t.first_id
      where t.code = 'ok';
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select u_account[t.buyer], 1, t.price, t.id, v_at, 'hold'
      from unnest(r_code, r_order, r_buyer, r_price) as t (code, id, buyer, price)
      where t.code = 'ok' and t.price > 0;
    update account a set balance = t.left_over
      from unnest(u_account, u_balance, u_left) as t (id, balance, left_over) where a.id = t.id and t.left_over < t.balance;
    update buyer b set orders_count = t.number, waiting_count = b.waiting_count + t.number - b.orders_count,
                       revision = b.revision + 1
      from unnest(u_id, u_number) as t (id, number) where b.user_id = t.id and t.number > b.orders_count;
    insert into account_day as old (account_id, day, shard, credit, count)
      values (1, v_day, p_shard, v_total, v_accepted)
      on conflict (account_id, day, shard) do update
        set credit = old.credit + excluded.credit, count = old.count + excluded.count;
    if t_id is not null then
      insert into user_token_day as old (token_id, day, spent)
        select t.id, v_day, t.spent from unnest(t_id, t_spent) as t (id, spent) where t.spent > 0 order by t.id
        on conflict (token_id, day) do update set spent = old.spent + excluded.spent;
    end if;
    if 0 = any (r_price) then
      perform plan_sandbox(array_agg(t.id)) from unnest(r_code, r_order) as t (code, id) where t.code = 'ok';
    end if;
    if true = any (f_hosted) then
      perform note_hosted(array_agg(t.id)) from unnest(r_code, r_order) as t (code, id) where t.code = 'ok';
    end if;

    -- 5. The news.
    select array_agg(t.user_id order by t.ask), array_agg(t.id order by t.ask) into n_user, n_order
      from unnest(r_code, p_user, r_order) with ordinality as t (code, user_id, id, ask) where t.code = 'ok';
    perform log_events('activation', n_user, p_order => n_order, p_status => array_fill('pending'::text, array[v_accepted]));
    select array_agg(t.id), array_agg(t.left_over) into n_user, n_balance
      from unnest(u_id, u_balance, u_left) as t (id, balance, left_over) where t.left_over < t.balance;
    perform log_events('balance', n_user, p_balance => n_balance);
    perform tell(array(select t.user_id from unnest(r_code, p_user) as t (code, user_id) where t.code = 'ok'));
  end if;

  return query
    select t.ask::integer, t.code, o.id, m.local_part || '@' || d.name, site.name, coalesce(o.price, t.price), u_left[t.buyer], o.expires_at
    from unnest(r_code, r_order, r_price, r_buyer) with ordinality as t (code, id, price, buyer, ask)
    left join orders o on o.id = t.id
    left join mailbox m on m.id = o.mailbox_id
    left join mail_domain d on d.id = o.domain_id
    left join site on site.id = o.site_id
    order by t.ask;
end $$;
