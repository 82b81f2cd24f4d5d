-- How many more paid orders of a buyer may be open, besides p_placed of this call: p_open, and one for each paid letter of the last 30 days.
-- Whoever canceled four of five of the newest 200 has a fifth of p_open. Counts again at most once a second. The caller holds the account.
-- Locks: buyer.
create function open_orders_left(p_user bigint, p_open integer, p_placed integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  known record;
begin
  select b.waiting_count as waiting, b.open_max as most, b.open_max_at as at into known from buyer b where b.user_id = p_user;
  if known.at is null or known.at < clock_timestamp() - interval '1 second' then
    update buyer b set open_max = t.most, open_max_at = clock_timestamp()
      from (select count(*) filter (where o.status = 'received' and o.price > 0 and o.created_at > clock_timestamp() - interval '30 days')
                   + case when count(*) filter (where o.status = 'canceled' and o.price > 0 and o.nth <= 200) >= 160 then p_open / 5 else p_open end as most
            from (select status, price, created_at, row_number() over (order by number desc) as nth
                  from orders where user_id = p_user order by number desc limit 20000) o) t
      where b.user_id = p_user
      returning b.open_max into known.most;
  end if;
  return known.most - known.waiting - p_placed;
end $$;
