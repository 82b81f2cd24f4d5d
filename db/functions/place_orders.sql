-- Orders of any buyers, in one statement and one commit: price, stock, hold, order.
-- Buyers (p_user) and pairs (p_site, p_domain) are given once each, in ascending order; an ask names its own by their places.
-- p_key, p_quantity and p_token are null when no ask has one. One answer for each ask, in the order of the asks:
--   ok           the order is placed and paid
--   repeat       the buyer's key names an order not older than p_key_life: that one is answered, nothing is charged. Whether it is what
--                is asked for now is for the caller to compare
--   again        the same key twice in this call: ask again, it will be a repeat
--   new pair     nobody ordered this domain for this site yet: call open_pairs, then ask again
--   token        he does not exist, is not activated or is blocked; or the token is not his, or over
--   site         it does not exist or is blocked
--   domain       it does not exist or is not on sale, or one of the two is of the sandbox and not the other
--   no emails    the domain has no mailbox left for the site
--   limit        the user has no room for more free orders
--   token limit  the price is above the highest price of the token, or above what is left of its budget of the day; the price is answered
--   no balance   the price is above the balance; both are answered
-- Locks: orders (keys that are a day old), account, stock, account_day.
create function place_orders(
  p_user bigint[], p_site integer[], p_domain integer[],
  p_buyer integer[], p_pair integer[], p_subject text[], p_regex text[], p_soft bigint[], p_key text[], p_quantity smallint[],
  p_token bigint[],
  p_ttl interval, p_key_life interval, p_shard integer
) returns table (
  ask integer, code text, order_id bigint, address text, price bigint, balance bigint, expires_at timestamptz
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
  v_count integer := cardinality(p_buyer);
  v_any   integer := (select id from site where name = 'any');
  v_at    timestamptz := clock_timestamp();
  v_day   date := (v_at at time zone 'UTC')::date;
  i integer; j integer; u integer; q integer; v_price bigint;
  -- buyers
  u_id bigint[]; u_account bigint[]; u_balance bigint[]; u_may boolean[]; u_room integer[];
  u_spent bigint[]; u_bought integer[]; u_free integer[]; u_number integer[]; v_watched boolean;
  -- pairs; what is left of each is counted only when the fresh runs do not suffice
  k_site integer[]; k_domain integer[]; k_next bigint[]; k_end bigint[]; k_name text[]; k_price bigint[];
  k_no_site boolean[]; k_no_domain boolean[]; k_hosted boolean[]; k_left bigint[]; k_take integer[]; v_fresh boolean := true;
  k_refused integer[];
  -- limited tokens
  t_id bigint[]; t_user bigint[]; t_price_max bigint[]; t_left bigint[]; t_spent bigint[];
  -- asks: what each gets
  r_begun text[]; r_code text[]; r_order bigint[]; r_price bigint[]; r_nth integer[]; r_turn integer[]; r_mailbox bigint[]; r_local text[];
  v_accepted integer := 0; v_total bigint := 0; v_repeats boolean := false; v_dead boolean; v_no text; v_ids bigint[];
  e_user bigint[]; e_order bigint[]; e_balance bigint[]; n_place integer[]; n_count integer[];
begin
  if v_count = 0 then return; end if;
  r_code := array_fill(null::text, array[v_count]);
  r_order := array_fill(null::bigint, array[v_count]);
  r_price := r_order;
  r_mailbox := r_order;
  r_nth := array_fill(null::integer, array[v_count]);
  r_turn := r_nth;

  -- 1. Keys whose day is over are free again.
  if p_key is not null then
    perform free_keys(array_agg(p_user[t.buyer] order by t.ask), p_key, p_key_life)
      from unnest(p_buyer) with ordinality as t (buyer, ask);
  end if;

  -- 2. The buyers, locked in the order of their accounts. A row that had to be waited for is read as it is after the wait.
  select array_agg(t.user_id order by t.user_id), array_agg(t.id order by t.user_id),
         array_agg(t.balance order by t.user_id), array_agg(t.may order by t.user_id)
    into u_id, u_account, u_balance, u_may
    from (select a.user_id, a.id, a.balance, users.activated_at is not null and users.blocked_at is null as may
          from account a join users on users.id = a.user_id
          where a.user_id = any (p_user) and a.book = 'balance'
          order by a.id for update of a) t;
  if u_id is distinct from p_user then
    -- Somebody has no account yet, or does not exist.
    perform open_accounts(array_agg(users.id), array_agg('balance'::text)) from users where users.id = any (p_user);
    perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
    select array_agg(t.id order by t.place), array_agg(a.id order by t.place), array_agg(a.balance order by t.place),
           array_agg(a.id is not null and users.activated_at is not null and users.blocked_at is null order by t.place)
      into u_id, u_account, u_balance, u_may
      from unnest(p_user) with ordinality as t (id, place)
      left join account a on a.user_id = t.id and a.book = 'balance'
      left join users on users.id = t.id;
  end if;
  if p_token is not null then
    select array_agg(t.id), array_agg(t.user_id), array_agg(t.price_max), array_agg(t.budget_day - coalesce(d.spent, 0))
      into t_id, t_user, t_price_max, t_left
      from user_token t left join user_token_day d on d.token_id = t.id and d.day = v_day
      where t.id = any (p_token) and t.revoked_at is null and (t.expires_at is null or t.expires_at > v_at);
  end if;

  -- 3. Repeats: the lock of the buyer makes sure that the first order, if there is one, is visible.
  if p_key is not null then
    select array_agg(case when o.id is not null then 'repeat' when t.turn > 1 then 'again' end order by t.ask),
           array_agg(o.id order by t.ask), count(o.id) > 0
      into r_code, r_order, v_repeats
      from (select p_user[t.buyer] as user_id, t.key, t.ask,
                   case when t.key is not null then row_number() over (partition by t.buyer, t.key order by t.ask) end as turn
            from unnest(p_buyer, p_key) with ordinality as t (buyer, key, ask)) t
      left join orders o on o.user_id = t.user_id and o.idempotency_key = t.key;
  end if;

  -- 4. The pairs, locked in the order of their keys.
  select array_agg(k.site_id), array_agg(k.domain_id), array_agg(k.next_id), array_agg(k.end_id), array_agg(k.name),
         array_agg(k.price), array_agg(k.no_site), array_agg(k.no_domain), array_agg(k.hosted)
    into k_site, k_domain, k_next, k_end, k_name, k_price, k_no_site, k_no_domain, k_hosted
    from (select s.site_id, s.domain_id, s.next_id, s.end_id, d.name, d.price, site.blocked as no_site, d.kind = 'hosted' as hosted,
                 not d.enabled or (case when d.is_sandbox then d.id end) is distinct from site.sandbox_domain_id as no_domain
          from unnest(p_site, p_domain) as t (site_id, domain_id)
          join stock s on s.site_id = t.site_id and s.domain_id = t.domain_id
          join mail_domain d on d.id = s.domain_id
          join site on site.id = s.site_id
          order by s.site_id, s.domain_id for update of s) k;
  if k_site is distinct from p_site or k_domain is distinct from p_domain then
    -- Only what is locked is used: a pair that was opened since the locks were asked for is still new here.
    select array_agg(s.next_id order by t.place), array_agg(s.end_id order by t.place), array_agg(d.name order by t.place),
           array_agg(d.price order by t.place), array_agg(site.id is null or site.blocked order by t.place),
           array_agg(d.id is null or not d.enabled
                     or (case when d.is_sandbox then d.id end) is distinct from site.sandbox_domain_id order by t.place),
           array_agg(d.kind = 'hosted' order by t.place)
      into k_next, k_end, k_name, k_price, k_no_site, k_no_domain, k_hosted
      from unnest(p_site, p_domain) with ordinality as t (site_id, domain_id, place)
      left join unnest(k_site, k_domain) as k (site_id, domain_id) on k.site_id = t.site_id and k.domain_id = t.domain_id
      left join stock s on s.site_id = k.site_id and s.domain_id = k.domain_id
      left join mail_domain d on d.id = t.domain_id
      left join site on site.id = t.site_id;
  end if;
  if 0 = any (k_price) then
    select array_agg(sandbox_room(t.id) order by t.place) into u_room from unnest(u_id) with ordinality as t (id, place);
  end if;

  -- 5. Who gets one, in the order of arrival, and which: the next mailbox of the pair's fresh run, or for `any` the last
  --    (stock_take says why). Where a run ends, or holds one that is dead, it is decided once more by counting what is left, and
  --    stock_take finds the mailboxes.
  r_begun := r_code;
  loop
    r_code := r_begun;
    k_take := array_fill(0, array[cardinality(p_site)]);
    k_refused := '{}';
    u_spent := array_fill(0::bigint, array[cardinality(u_id)]);
    u_bought := array_fill(0, array[cardinality(u_id)]);
    t_spent := array_fill(0::bigint, array[coalesce(cardinality(t_id), 0)]);
    u_free := u_bought;
    v_accepted := 0;
    v_total := 0;
    for j in 1 .. v_count loop
      u := p_buyer[j];
      q := p_pair[j];
      v_price := k_price[q];
      continue when r_code[j] = 'repeat';
      v_no := case when not u_may[u] then 'token' when k_no_site[q] then 'site' when k_no_domain[q] then 'domain'
                   when k_next[q] is null then 'new pair' else r_code[j] end;
      if v_no is not null then
        r_code[j] := v_no;
        continue;
      end if;
      if k_left is not null then
        if k_take[q] >= k_left[q] then
          r_code[j] := 'no emails';
          continue;
        end if;
      elsif k_take[q] > k_end[q] - k_next[q] then
        v_fresh := false;
        exit;
      end if;
      if v_price = 0 and u_free[u] >= u_room[u] then
        k_refused := k_refused || q;
        r_code[j] := 'limit';
        continue;
      end if;
      i := null;
      if p_token[j] is not null then
        i := array_position(t_id, p_token[j]);
        if i is null or t_user[i] <> u_id[u] then
          r_code[j] := 'token';
          continue;
        elsif v_price > t_price_max[i] or t_spent[i] + v_price > t_left[i] then
          k_refused := k_refused || q;
          r_code[j] := 'token limit';
          r_price[j] := v_price;
          continue;
        end if;
      end if;
      if u_spent[u] + v_price > u_balance[u] then
        k_refused := k_refused || q;
        r_code[j] := 'no balance';
        r_price[j] := v_price;
        continue;
      end if;
      r_code[j] := 'ok';
      r_price[j] := v_price;
      r_mailbox[j] := case when p_site[q] = v_any then k_end[q] - k_take[q] else k_next[q] + k_take[q] end;
      k_take[q] := k_take[q] + 1;
      r_turn[j] := k_take[q];
      u_bought[u] := u_bought[u] + 1;
      r_nth[j] := u_bought[u];
      u_spent[u] := u_spent[u] + v_price;
      v_accepted := v_accepted + 1;
      v_total := v_total + v_price;
      if v_price = 0 then u_free[u] := u_free[u] + 1; end if;
      if i is not null then t_spent[i] := t_spent[i] + v_price; end if;
    end loop;
    if v_fresh and v_accepted > 0 then
      select array_agg(m.local_part order by t.ask), coalesce(bool_or(m.dead), false) or count(m.id) < v_accepted into r_local, v_dead
        from unnest(r_mailbox) with ordinality as t (id, ask) left join mailbox m on m.id = t.id;
      v_fresh := not v_dead;
    end if;
    if v_fresh and cardinality(k_refused) > 0 then
      -- Who was refused for another reason hears that there is none when a run holds nothing but dead ones.
      select not bool_or(coalesce(d.live - s.taken, 0) <= k_take[t.pair]) into v_fresh
        from (select distinct pair from unnest(k_refused) as r (pair)) t
        left join stock s on s.site_id = p_site[t.pair] and s.domain_id = p_domain[t.pair]
        left join mail_domain d on d.id = p_domain[t.pair];
    end if;
    exit when v_fresh or k_left is not null;
    -- live and taken agree: both are only changed by who holds these rows.
    select array_agg(coalesce(d.live - s.taken, 0) order by t.place) into k_left
      from unnest(p_site, p_domain) with ordinality as t (site_id, domain_id, place)
      left join stock s on s.site_id = t.site_id and s.domain_id = t.domain_id
      left join mail_domain d on d.id = t.domain_id;
    r_mailbox := array_fill(null::bigint, array[v_count]);
    r_price := r_mailbox;
  end loop;

  if v_accepted > 0 then
    -- 6. They leave the stock.
    if v_fresh then
      update stock s set taken = s.taken + t.count,
                         next_id = s.next_id + case when t.site_id = v_any then 0 else t.count end,
                         end_id = s.end_id - case when t.site_id = v_any then t.count else 0 end
        from unnest(p_site, p_domain, k_take) as t (site_id, domain_id, count)
        where s.site_id = t.site_id and s.domain_id = t.domain_id and t.count > 0;
    else
      for q in 1 .. cardinality(k_take) loop
        continue when k_take[q] = 0;
        v_ids := stock_take(p_site[q], p_domain[q], k_take[q]);
        if cardinality(v_ids) <> k_take[q] then
          raise exception 'stock of site % and domain % is miscounted: % wanted, % there',
            p_site[q], p_domain[q], k_take[q], cardinality(v_ids);
        end if;
        for j in 1 .. v_count loop
          if r_code[j] = 'ok' and p_pair[j] = q then r_mailbox[j] := v_ids[r_turn[j]]; end if;
        end loop;
      end loop;
      select array_agg(m.local_part order by t.ask) into r_local
        from unnest(r_mailbox) with ordinality as t (id, ask) left join mailbox m on m.id = t.id;
    end if;

    -- 7. Balances and numbers.
    update account a set balance = a.balance - t.spent
      from unnest(u_account, u_spent) as t (id, spent) where a.id = t.id and t.spent > 0;
    with counted as (
      update buyer b set orders_count = b.orders_count + t.bought, waiting_count = b.waiting_count + t.bought,
                         revision = b.revision + 1
        from unnest(u_id, u_bought) with ordinality as t (id, bought, place)
        where b.user_id = t.id and t.bought > 0
        returning t.place::integer, b.orders_count - t.bought as count, b.watched_until > v_at as watched
    )
    select array_agg(place), array_agg(count), bool_or(watched) into n_place, n_count, v_watched from counted;
    for i in 1 .. cardinality(n_place) loop
      u_number[n_place[i]] := n_count[i];
    end loop;

    -- 8. Orders and holds.
    for j in 1 .. v_count loop
      if r_code[j] = 'ok' then r_order[j] := nextval('orders_id_seq'); end if;
    end loop;
    insert into orders (id, user_id, mailbox_id, price, created_at, expires_at, soft_id, site_id, domain_id, number, subject, regex,
                        idempotency_key, quantity, token_id)
      overriding system value
      select t.id, u_id[t.buyer], t.mailbox_id, t.price, v_at, v_at + p_ttl, t.soft_id, p_site[t.pair], p_domain[t.pair],
             u_number[t.buyer] + t.nth, t.subject, t.regex, t.key, t.quantity, t.token_id
      from unnest(r_code, r_order, p_buyer, r_mailbox, r_price, p_soft, p_pair, r_nth, p_subject, p_regex, p_key, p_quantity, p_token)
        as t (code, id, buyer, mailbox_id, price, soft_id, pair, nth, subject, regex, key, quantity, token_id)
      where t.code = 'ok';
    insert into transfer (debit, credit, amount, order_id, at, kind)
      select u_account[t.buyer], 1, t.price, t.id, v_at, 'hold'
      from unnest(r_code, r_order, p_buyer, r_price) as t (code, id, buyer, price)
      where t.code = 'ok' and t.price > 0;
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
    if true = any (k_hosted) then
      perform note_hosted(array_agg(t.id)) from unnest(r_code, r_order) as t (code, id) where t.code = 'ok';
    end if;

    -- 9. The news.
    for u in 1 .. cardinality(u_id) loop
      u_balance[u] := u_balance[u] - u_spent[u];
    end loop;
    if v_watched then
      select array_agg(u_id[t.buyer] order by t.ask), array_agg(t.id order by t.ask) into e_user, e_order
        from unnest(r_code, p_buyer, r_order) with ordinality as t (code, buyer, id, ask) where t.code = 'ok';
      perform log_events('activation', e_user, p_order => e_order, p_status => array_fill('pending'::text, array[v_accepted]));
      select array_agg(t.id), array_agg(t.balance) into e_user, e_balance
        from unnest(u_id, u_balance, u_spent) as t (id, balance, spent) where t.spent > 0;
      perform log_events('balance', e_user, p_balance => e_balance);
    end if;
    if v_accepted = v_count then
      perform tell(u_id);
    else
      perform tell(array(select t.id from unnest(u_id, u_bought) as t (id, bought) where t.bought > 0));
    end if;
  end if;

  -- 10. The answers.
  if not v_repeats then
    return query
      select t.ask::integer, t.code, t.id, t.local_part || '@' || k_name[t.pair], t.price, u_balance[t.buyer],
             case when t.code = 'ok' then v_at + p_ttl end
      from unnest(r_code, r_order, r_local, r_price, p_pair, p_buyer) with ordinality as t (code, id, local_part, price, pair, buyer, ask);
  else
    return query
      select t.ask::integer, t.code, t.id, m.local_part || '@' || d.name, coalesce(o.price, t.price), u_balance[t.buyer], o.expires_at
      from unnest(r_code, r_order, r_price, p_buyer) with ordinality as t (code, id, price, buyer, ask)
      left join orders o on o.id = t.id
      left join mailbox m on m.id = o.mailbox_id
      left join mail_domain d on d.id = o.domain_id
      order by t.ask;
  end if;
end $$;
