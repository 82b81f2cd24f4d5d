-- Orders the mailboxes of received orders once more, for the same sites, at today's price: many asks, one commit.
-- They take nothing from the stock: the first order keeps the mailbox. An ask names the first order by its id, or (p_order null) the
-- latest one by address and site. One answer for each ask, in the order of the asks:
--   ok             the reorder is placed and paid
--   repeat         a reorder of this mailbox waits already, or the key names an order not older than p_key_life: answers that one; the
--                  caller compares it
--   again          the same mailbox or key twice in this call: ask again, it will be a repeat
--   token          the buyer does not exist, is not activated or is blocked; or the token is another's, or over
--   no activation  the buyer has no such received order
--   site           it has been blocked
--   email banned   the mailbox died, or its batch is off sale
--   limit          the buyer has too many free orders
--   price too high the price, which is answered, is above p_price_max
--   token limit    the site, the price or the rest of the day's budget is beyond the token; unless it is the site, the price is answered
--   no balance     the price is above the balance; both are answered
-- Locks: orders (keys that are a day old), account, account_day.
create function reorder_orders(
  p_user bigint[], p_order bigint[], p_local_part text[], p_domain text[], p_site integer[],
  p_subject text[], p_regex text[], p_soft bigint[], p_key text[], p_token bigint[],
  p_ttl interval, p_key_life interval, p_shard integer, p_price_max bigint[] default null,
  p_note text[] default null
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
  v_now     timestamptz := clock_timestamp();
  v_users   bigint[];
  buyers    batch_buyer[];
  tokens    batch_token[];
  token_ids bigint[];
  asks      batch_ask[];
  decided   record;
begin
  if cardinality(p_user) = 0 then return; end if;
  if p_key is not null then
    perform free_keys(p_user, p_key, p_key_life);
  end if;

  -- 1. The buyers. Their locks serialize all reorders of an order: only its buyer can ask for one.
  v_users := array(select distinct t.user_id from unnest(p_user) as t (user_id) order by t.user_id);
  buyers := lock_buyers(v_users);
  if p_token is not null then
    tokens := usable_tokens(p_token, v_now);
    token_ids := array(select t.id from unnest(tokens) t);
  end if;

  -- 2. The named orders, and existing reorders under the key, or for the mailbox and without a letter.
  with meant as (
    select t.*, p_user[t.place] as user_id, array_position(v_users, p_user[t.place]) as buyer, p_key[t.place] as key,
           p_token[t.place] as token_id,
           case when p_token[t.place] is not null then coalesce(array_position(token_ids, p_token[t.place]), 0) end as token,
           row_number() over (partition by t.mailbox_id, t.site_id order by t.place) as nth_of_mailbox,
           row_number() over (partition by p_user[t.place], p_key[t.place] order by t.place) as nth_of_key
    from received_orders(p_user, p_order, p_local_part, p_domain, p_site) t
  )
  select array_agg(row(t.*)::batch_ask order by t.place) into asks
    from (
      select t.place, t.buyer, null as pair, t.token,
             case
               when buyers[t.buyer].may_order is not true or t.token is not null and tokens[t.token].user_id is distinct from t.user_id
                 then 'token'
               -- Before a repeat is answered: it names an address.
               when t.id is not null and not may.reorder then 'token limit'
               when stands.id is not null then 'repeat'
               when t.id is not null and t.nth_of_mailbox > 1 or t.key is not null and t.nth_of_key > 1 then 'again'
               when t.id is null then 'no activation'
               when site.blocked then 'site'
               when m.dead or batch.withdrawn_at is not null then 'email banned'
             end as code,
             t.site_id, m.domain_id, t.mailbox_id, t.id as reorder_of, case when may.reorder then
               case when d.asks_from <= v_now then price_of(t.site_id, d.id, v_now) else d.price end end as price,
             order_deadline(v_now, p_ttl, d.kind) as expires_at, d.kind = 'hosted' as is_hosted,
             case when t.id is null or may.reorder then stands.id end as order_id, null as address, null as nth,
             p_price_max[t.place]
      from meant t
      left join mailbox m on m.id = t.mailbox_id
      left join lot on lot.id = m.lot_id
      left join batch on batch.id = lot.batch_id
      left join mail_domain d on d.id = m.domain_id
      left join site on site.id = t.site_id
      left join user_token token on token.id = t.token_id
      left join orders named on named.user_id = t.user_id and named.idempotency_key = t.key
      -- At most one; "limit" makes it a look-up for each instead of a scan of all waiting orders.
      left join lateral (
        select o.id from orders o
        where o.mailbox_id = t.mailbox_id and o.site_id = t.site_id and o.user_id = t.user_id
          and o.status = 'pending' and o.reorder_of is not null limit 1) waits on true
      cross join lateral (select coalesce(named.id, waits.id) as id) stands
      cross join lateral (select t.token_id is null or t.site_id = any (coalesce(token.sites, array[t.site_id])) as reorder) may) t;

  -- 3. Decides and pays.
  decided := decide_orders(asks, buyers, null, tokens);
  asks := decided.asks;
  buyers := decided.buyers;
  perform write_orders(asks, buyers, decided.tokens, p_subject, p_regex, p_soft, p_key, null, p_token, v_now, p_shard, p_note);

  return query
    select a.place, a.code, o.id, m.local_part || '@' || d.name, site.name,
           coalesce(o.price, case when a.code in ('price too high', 'token limit', 'no balance') then a.price end),
           buyers[a.buyer].balance - buyers[a.buyer].spent, o.expires_at
    from unnest(asks) a
    left join orders o on o.id = a.order_id
    left join mailbox m on m.id = o.mailbox_id
    left join mail_domain d on d.id = o.domain_id
    left join site on site.id = o.site_id
    order by a.place;
end $$;
