-- Expires due orders, the oldest first, at most p_limit; answers how many. Call it until it answers 0.
-- Left for later: an order whose mailbox has a letter that we have acknowledged and not yet judged. It may be the one that
-- the buyer waits for, and it came in time.
-- Locks: orders (those that nobody else holds), then as close_orders.
create function expire_due(p_limit integer, p_shard integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  -- A moment that stands still can be looked up in the index; a clock that runs has every pending order looked at.
  v_now timestamptz := clock_timestamp();
  v_due bigint[];
  v_count integer;
begin
  select array_agg(id) into v_due from (
    select o.id from orders o
    where o.status = 'pending' and o.expires_at <= v_now
      and not exists (
        select 1 from recipient r join letter l on l.id = r.letter_id
        where r.mailbox_id = o.mailbox_id and l.judged_at is null)
    order by o.expires_at limit p_limit for update of o skip locked) due;
  if v_due is null then return 0; end if;
  select count(*) into v_count from close_orders(v_due, null, 'expired', p_shard);
  return v_count;
end $$;
