-- Places orders of any buyers, in one statement and one commit: price, stock, hold, order.
-- Buyers (p_user) and pairs (p_site, p_domain) are given once each, in ascending order; an ask names its own by their places.
-- p_key, p_quantity, p_token, p_price_max and p_note are null when no ask has one. One answer for each ask, in the order of the asks:
--   ok           the order is placed and paid
--   repeat       the buyer's key names an order not older than p_key_life: answers that one, charges nothing; the caller compares it
--   again        the same key twice in this call: ask again, it will be a repeat
--   new pair     the first order of this domain for this site: call open_pairs, then ask again
--   token        the buyer does not exist, is not activated or is blocked; or the token is another's, or over
--   site         it does not exist or is blocked
--   domain       it does not exist or is not on sale, or one of the two is of the sandbox and not the other
--   no emails    the domain has no mailbox left for the site
--   limit        the buyer has too many free orders
--   too many open  the buyer has as many paid orders open as p_open and his letters allow (open_orders_left); null: any number
--   price too high  the price, which is answered, is above p_price_max
--   token limit  the price, which is answered, is above the highest price of the token or the rest of its budget of the day
--   no balance   the price is above the balance; both are answered
-- Locks: orders (keys that are a day old), account, stock, buyer, account_day.
create function place_orders(
  p_user bigint[], p_site integer[], p_domain integer[],
  p_buyer integer[], p_pair integer[], p_subject text[], p_regex text[], p_soft bigint[], p_key text[], p_quantity smallint[],
  p_token bigint[],
  p_ttl interval, p_key_life interval, p_shard integer, p_open integer default null,
  p_price_max bigint[] default null, p_note text[] default null
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
  v_now     timestamptz := clock_timestamp();
  buyers    batch_buyer[];
  tokens    batch_token[];
  token_ids bigint[];
  pairs     batch_pair[];
  asks      batch_ask[];
  decided   record;
  addresses text[];
begin
  if cardinality(p_buyer) = 0 then return; end if;
  if p_key is not null then
    perform free_keys(array_agg(p_user[t.buyer] order by t.place), p_key, p_key_life)
      from unnest(p_buyer) with ordinality as t (buyer, place);
  end if;

  -- 1. The asks, and refusals known before the stock.
  buyers := lock_buyers(p_user);
  if p_open is not null then
    buyers := note_open_left(buyers, p_open);
  end if;
  if p_token is not null then
    tokens := usable_tokens(p_token, v_now);
    token_ids := array(select t.id from unnest(tokens) t);
  end if;
  pairs := lock_pairs(p_site, p_domain, v_now, p_ttl);
  asks := array(
    select row(t.*)::batch_ask
    from (select t.place, t.buyer, t.pair,
                 case when p_token[t.place] is not null then coalesce(array_position(token_ids, p_token[t.place]), 0) end as token,
                 case when buyers[t.buyer].may_order is not true then 'token' else pairs[t.pair].refusal end as code,
                 pairs[t.pair].site_id, pairs[t.pair].domain_id, null as mailbox_id, null as reorder_of, pairs[t.pair].price,
                 pairs[t.pair].expires_at, pairs[t.pair].is_hosted, null as order_id, null as address, null as nth, p_price_max[t.place]
          from unnest(p_buyer, p_pair) with ordinality as t (buyer, pair, place)) t);
  if p_key is not null then
    asks := mark_repeats(asks, buyers, p_key);
  end if;

  -- 2. Decides: nearly always by the next living mailboxes of the runs in use; else again by counting what is left.
  decided := decide_orders(asks, buyers, pairs, tokens, p_open);
  addresses := fresh_addresses(decided.asks, decided.pairs);
  if addresses is not null then
    asks := decided.asks;
    update stock s set taken = s.taken + p.taken,
                       next_id = s.next_id + case when p.from_end then 0 else p.taken end,
                       end_id = s.end_id - case when p.from_end then p.taken else 0 end
      from unnest(decided.pairs) p
      where s.site_id = p.site_id and s.domain_id = p.domain_id and p.taken > 0;
  else
    decided := decide_orders(asks, buyers, count_available(pairs), tokens, p_open);
    asks := take_counted(decided.asks, decided.pairs);
    addresses := array(
      select m.local_part || '@' || pairs[a.pair].domain
      from unnest(asks) a left join mailbox m on m.id = a.mailbox_id and a.code = 'ok' order by a.place);
  end if;
  buyers := decided.buyers;

  perform write_orders(asks, buyers, decided.tokens, p_subject, p_regex, p_soft, p_key, p_quantity, p_token, v_now, p_shard, p_note);

  return query
    select a.place, a.code, a.order_id, coalesce(a.address, addresses[a.place]),
           case when a.code in ('ok', 'repeat', 'price too high', 'token limit', 'no balance') then a.price end,
           buyers[a.buyer].balance - buyers[a.buyer].spent,
           case when a.code in ('ok', 'repeat') then a.expires_at end
    from unnest(asks) a;
end $$;
