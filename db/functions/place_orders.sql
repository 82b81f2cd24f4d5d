-- Orders of any buyers, in one statement and one commit: price, stock, hold, order.
-- One answer for each ask, in the order of the asks:
--   ok          the order is placed and paid
--   repeat      the user's key names an order not older than p_key_life: that one is answered, nothing is charged
--   again       the same key twice in this call: ask again, it will be a repeat
--   no user     he does not exist, is not activated or is blocked
--   no site     it does not exist or is blocked
--   no domain   it does not exist or is not on sale, or one of the two is of the sandbox and not the other
--   no stock    the domain has no mailbox left for the site
--   limit       the user has no room for more free orders
--   no balance  the price is above the balance; both are answered
-- Locks: orders (keys that are a day old), account, mail_domain (share, for a new pair), stock, account_day.
create function place_orders(
  p_user bigint[], p_site integer[], p_domain integer[], p_subject text[], p_regex text[], p_soft bigint[], p_key text[],
  p_ttl interval, p_key_life interval, p_shard integer
) returns table (
  ask integer, code text, order_id bigint, address text, price bigint, balance bigint, expires_at timestamptz
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_count integer := cardinality(p_user);
  v_at    timestamptz := clock_timestamp();
  v_fast  boolean;
  j integer; u integer; q integer;
  -- buyers: one place for each user of the call
  u_id bigint[]; u_account bigint[]; u_balance bigint[]; u_left bigint[]; u_number integer[]; u_may boolean[]; u_room integer[];
  -- pairs: one place for each (site, domain) of the call
  k_site integer[]; k_domain integer[]; k_next bigint[]; k_end bigint[]; k_name text[]; k_price bigint[]; k_left bigint[];
  k_no_site boolean[]; k_no_domain boolean[]; k_take integer[];
  -- repeats
  x_ask integer[]; x_order bigint[];
  -- asks: what each has and what it gets
  r_buyer integer[]; r_pair integer[]; r_doubled boolean[]; r_code text[]; r_mailbox bigint[]; r_local text[];
  r_number integer[]; r_price bigint[]; r_order bigint[]; r_turn integer[];
  v_ids bigint[]; v_dead boolean; v_total bigint; v_accepted integer;
  -- those who are listened for: what they bought
  v_watched boolean; e_user bigint[]; e_order bigint[]; e_balance bigint[];
begin
  if v_count = 0 then return; end if;

  -- 1. Keys whose day is over are free again.
  if array_length(array_remove(p_key, null), 1) > 0 then
    perform free_keys(p_user, p_key, p_key_life);
  end if;

  -- 2. The buyers, locked in the order of their accounts. Their counters are read by the next statement (README, two snapshots).
  perform open_accounts(array_agg(t.id), array_agg('balance'::text))
    from (select distinct t.id from unnest(p_user) as t (id)
          where not exists (select 1 from account a where a.user_id = t.id and a.book = 'balance')
            and exists (select 1 from users where users.id = t.id)) t
    having count(*) > 0;
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
  select array_agg(a.user_id), array_agg(a.id), array_agg(a.balance), array_agg(b.orders_count),
         array_agg(users.activated_at is not null and users.blocked_at is null), bool_or(b.watched_until > clock_timestamp())
    into u_id, u_account, u_balance, u_number, u_may, v_watched
    from account a
    join buyer b on b.user_id = a.user_id
    join users on users.id = a.user_id
    where a.user_id = any (p_user) and a.book = 'balance';

  -- 3. Repeats: the lock of the buyer makes sure that the first order, if there is one, is visible.
  select array_agg(t.ask), array_agg(o.id) into x_ask, x_order
    from unnest(p_user, p_key) with ordinality as t (user_id, key, ask)
    join orders o on o.user_id = t.user_id and o.idempotency_key = t.key;

  -- 4. The pairs' stock rows, made at the first order of a pair, locked in the order of their keys.
  select array_agg(t.site_id), array_agg(t.domain_id) into k_site, k_domain
    from (select distinct t.site_id, t.domain_id from unnest(p_site, p_domain) as t (site_id, domain_id)) t
    where not exists (select 1 from stock s where s.site_id = t.site_id and s.domain_id = t.domain_id);
  if k_site is not null then
    perform 1 from mail_domain where id = any (k_domain) order by id for share;
    insert into stock (site_id, domain_id)
      select t.site_id, t.domain_id from unnest(k_site, k_domain) as t (site_id, domain_id)
      join site on site.id = t.site_id and not site.blocked
      join mail_domain on mail_domain.id = t.domain_id and mail_domain.enabled
      order by t.site_id, t.domain_id
      on conflict do nothing;
  end if;
  select array_agg(s.site_id), array_agg(s.domain_id), array_agg(s.next_id), array_agg(s.end_id)
    into k_site, k_domain, k_next, k_end
    from (select s.site_id, s.domain_id, s.next_id, s.end_id from stock s
          where (s.site_id, s.domain_id) in (select t.site_id, t.domain_id from unnest(p_site, p_domain) as t (site_id, domain_id))
          order by s.site_id, s.domain_id for update) s;

  -- 5. Prices and what is left. live and taken agree: both are only changed by who holds these stock rows.
  select array_agg(d.name order by k.place), array_agg(d.price order by k.place), array_agg(d.live - s.taken order by k.place),
         array_agg(site.blocked order by k.place),
         array_agg(not d.enabled or (case when d.is_sandbox then d.id end) is distinct from site.sandbox_domain_id order by k.place)
    into k_name, k_price, k_left, k_no_site, k_no_domain
    from unnest(k_site, k_domain) with ordinality as k (site_id, domain_id, place)
    join stock s on s.site_id = k.site_id and s.domain_id = k.domain_id
    join mail_domain d on d.id = k.domain_id
    join site on site.id = k.site_id;

  -- 6. The usual case, all at once: nobody is refused, nothing is repeated, and each pair's current run is long enough.
  select bool_and(coalesce(t.good, false)), array_agg(t.mailbox order by t.ask), array_agg(t.number order by t.ask),
         array_agg(t.price order by t.ask), array_agg(t.buyer order by t.ask), array_agg(t.pair order by t.ask),
         array_agg(t.doubled order by t.ask)
    into v_fast, r_mailbox, r_number, r_price, r_buyer, r_pair, r_doubled
    from (
      select t.*, t.next_id + t.turn - 1 as mailbox,
             t.may and not t.no_site and not t.no_domain and not t.doubled and t.price > 0 and t.spent <= t.balance
               and t.taking <= t.has and t.next_id + t.taking - 1 <= t.end_id as good
      from (
        select r.ask, k.price, k.has, k.next_id, k.end_id, k.no_site, k.no_domain, k.place::integer as pair,
               b.balance, b.may, b.place::integer as buyer,
               (b.number + row_number() over buyers)::integer as number,
               sum(k.price) over (partition by r.user_id) as spent,
               row_number() over pairs as turn,
               count(*) over (partition by r.site_id, r.domain_id) as taking,
               r.key is not null and row_number() over (partition by r.user_id, r.key order by r.ask) > 1 as doubled
        from unnest(p_site, p_domain, p_user, p_key) with ordinality as r (site_id, domain_id, user_id, key, ask)
        left join unnest(k_site, k_domain, k_price, k_left, k_next, k_end, k_no_site, k_no_domain) with ordinality
          as k (site_id, domain_id, price, has, next_id, end_id, no_site, no_domain, place)
          on k.site_id = r.site_id and k.domain_id = r.domain_id
        left join unnest(u_id, u_balance, u_number, u_may) with ordinality as b (user_id, balance, number, may, place)
          on b.user_id = r.user_id
        window buyers as (partition by r.user_id order by r.ask),
               pairs as (partition by r.site_id, r.domain_id order by r.ask)) t) t;
  v_fast := v_fast and x_ask is null;
  if v_fast then
    select array_agg(m.local_part order by t.ask), bool_or(m.dead) into r_local, v_dead
      from unnest(r_mailbox) with ordinality as t (id, ask) join mailbox m on m.id = t.id;
    v_fast := not v_dead and cardinality(r_local) = v_count;
  end if;

  if v_fast then
    r_code := array_fill('ok'::text, array[v_count]);
    update stock s set taken = s.taken + t.count, next_id = s.next_id + t.count
      from (select t.site_id, t.domain_id, count(*) from unnest(p_site, p_domain) as t (site_id, domain_id) group by 1, 2) t
      where s.site_id = t.site_id and s.domain_id = t.domain_id;
  else
    -- 7. Otherwise one by one, in the order of arrival: first who gets one, then which.
    r_code := array_fill(null::text, array[v_count]);
    r_mailbox := array_fill(null::bigint, array[v_count]);
    r_local := array_fill(null::text, array[v_count]);
    r_number := array_fill(null::integer, array[v_count]);
    r_price := array_fill(null::bigint, array[v_count]);
    r_order := array_fill(null::bigint, array[v_count]);
    r_turn := array_fill(null::integer, array[v_count]);
    u_left := u_balance;
    if 0 = any (k_price) then
      select array_agg(sandbox_room(t.id) order by t.place) into u_room from unnest(u_id) with ordinality as t (id, place);
    end if;
    k_take := array_fill(0, array[coalesce(cardinality(k_site), 0)]);
    for j in 1 .. coalesce(cardinality(x_ask), 0) loop
      r_code[x_ask[j]] := 'repeat';
      r_order[x_ask[j]] := x_order[j];
    end loop;
    for j in 1 .. v_count loop
      continue when r_code[j] is not null;
      u := r_buyer[j];
      q := r_pair[j];
      if u is null or not u_may[u] then
        r_code[j] := 'no user';
      elsif q is null and not exists (select 1 from site where id = p_site[j] and not blocked) or k_no_site[q] then
        r_code[j] := 'no site';
      elsif q is null or k_no_domain[q] then
        r_code[j] := 'no domain';
      elsif r_doubled[j] then
        r_code[j] := 'again';
      elsif k_left[q] <= 0 then
        r_code[j] := 'no stock';
      elsif k_price[q] = 0 and u_room[u] <= 0 then
        r_code[j] := 'limit';
      elsif u_left[u] < k_price[q] then
        r_code[j] := 'no balance';
        r_price[j] := k_price[q];
      else
        r_code[j] := 'ok';
        r_price[j] := k_price[q];
        u_left[u] := u_left[u] - k_price[q];
        if k_price[q] = 0 then u_room[u] := u_room[u] - 1; end if;
        u_number[u] := u_number[u] + 1;
        r_number[j] := u_number[u];
        k_left[q] := k_left[q] - 1;
        k_take[q] := k_take[q] + 1;
        r_turn[j] := k_take[q];
      end if;
    end loop;
    for q in 1 .. cardinality(k_take) loop
      continue when k_take[q] = 0;
      v_ids := stock_take(k_site[q], k_domain[q], k_take[q]);
      if cardinality(v_ids) <> k_take[q] then
        raise exception 'stock of site % and domain % is miscounted: % wanted, % there',
          k_site[q], k_domain[q], k_take[q], cardinality(v_ids);
      end if;
      for j in 1 .. v_count loop
        if r_code[j] = 'ok' and r_pair[j] = q then r_mailbox[j] := v_ids[r_turn[j]]; end if;
      end loop;
    end loop;
  end if;

  -- 8. Orders, holds, balances.
  select array_agg(case when t.code = 'ok' then nextval('orders_id_seq') else t.old end order by t.ask),
         count(*) filter (where t.code = 'ok'), sum(t.price) filter (where t.code = 'ok')
    into r_order, v_accepted, v_total
    from unnest(r_code, r_price, coalesce(r_order, array_fill(null::bigint, array[v_count]))) with ordinality as t (code, price, old, ask);
  if v_accepted > 0 then
    insert into orders (id, user_id, mailbox_id, price, created_at, expires_at, soft_id, site_id, domain_id, number, subject, regex, idempotency_key)
      overriding system value
      select t.id, t.user_id, t.mailbox_id, t.price, v_at, v_at + p_ttl, t.soft_id, t.site_id, t.domain_id, t.number, t.subject, t.regex, t.key
      from unnest(r_code, r_order, p_user, r_mailbox, r_price, p_soft, p_site, p_domain, r_number, p_subject, p_regex, p_key)
        as t (code, id, user_id, mailbox_id, price, soft_id, site_id, domain_id, number, subject, regex, key)
      where t.code = 'ok';
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select u_account[t.buyer], 1, t.price, t.id, v_at, 'hold'
      from unnest(r_code, r_order, r_buyer, r_price) as t (code, id, buyer, price)
      where t.code = 'ok' and t.price > 0;
    if 0 = any (r_price) then
      perform plan_sandbox(array_agg(t.id)) from unnest(r_code, r_order) as t (code, id) where t.code = 'ok';
    end if;
    with spent as (
      select t.buyer, sum(t.price)::bigint as amount, count(*)::integer as count
      from unnest(r_code, r_buyer, r_price) as t (code, buyer, price) where t.code = 'ok' group by t.buyer
    ), counted as (
      update buyer b set orders_count = b.orders_count + s.count, revision = b.revision + 1
      from spent s where b.user_id = u_id[s.buyer]
    ), paid as (
      update account a set balance = a.balance - s.amount
      from spent s where a.id = u_account[s.buyer] returning a.id, a.balance
    )
    select array_agg(coalesce(paid.balance, t.balance) order by t.place) into u_balance
      from unnest(u_account, u_balance) with ordinality as t (id, balance, place) left join paid on paid.id = t.id;
    insert into account_day as old (account_id, day, shard, credit, count)
      values (1, (v_at at time zone 'UTC')::date, p_shard, v_total, v_accepted)
      on conflict (account_id, day, shard) do update
        set credit = old.credit + excluded.credit, count = old.count + excluded.count;
    if v_watched then
      select array_agg(t.user_id order by t.ask), array_agg(t.id order by t.ask) into e_user, e_order
        from unnest(r_code, p_user, r_order) with ordinality as t (code, user_id, id, ask) where t.code = 'ok';
      perform log_events('activation', e_user, p_order => e_order, p_status => array_fill('pending'::text, array[v_accepted]));
      select array_agg(t.user_id), array_agg(t.balance) into e_user, e_balance
        from unnest(u_id, u_balance) as t (user_id, balance) where t.user_id = any (e_user);
      perform log_events('balance', e_user, p_balance => e_balance);
    end if;
    perform tell(array_agg(t.user_id)) from unnest(r_code, p_user) as t (code, user_id) where t.code = 'ok';
  end if;

  -- 9. The answers.
  if v_fast then
    return query
      select t.ask::integer, 'ok', t.id, t.local_part || '@' || k_name[t.pair], t.price, u_balance[t.buyer], v_at + p_ttl
      from unnest(r_order, r_local, r_price, r_pair, r_buyer) with ordinality as t (id, local_part, price, pair, buyer, ask);
  else
    return query
      select t.ask::integer, t.code, t.id, m.local_part || '@' || d.name, coalesce(o.price, t.price), u_balance[t.buyer], o.expires_at
      from unnest(r_code, r_order, r_price, r_buyer) with ordinality as t (code, id, price, buyer, ask)
      left join orders o on o.id = t.id
      left join mailbox m on m.id = o.mailbox_id
      left join mail_domain d on d.id = o.domain_id
      order by t.ask;
  end if;
end $$;
