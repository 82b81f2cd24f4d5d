-- The oldest orders due since p_grace, or null, without those whose mailbox has a letter not stored or matched yet: it came in time.
-- Locks: orders (unlocked ones).
create function due_orders(p_limit integer, p_grace interval, p_except bigint[]) returns bigint[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  -- A fixed time can use the index; clock_timestamp() in the query would scan every pending order.
  v_now   timestamptz := clock_timestamp();
  v_since timestamptz := v_now - p_grace;
begin
  return (
    select array_agg(id) from (
      select o.id from orders o
      where o.status = 'pending' and o.expires_at <= v_since and o.id <> all (p_except)
        and not exists (
          select 1 from recipient r join letter l on l.id = r.letter_id
          where r.mailbox_id = o.mailbox_id and l.judged_at is null)
        and not exists (select 1 from letter_arriving a where a.mailbox_id = o.mailbox_id and a.until > v_now)
      order by o.expires_at limit p_limit for update of o skip locked) due);
end $$;
