-- Expires the oldest due orders; answers how many. Call it until it answers 0. Locks: orders (unlocked ones), then as close_orders.
create function expire_due(p_limit integer, p_shard integer, p_grace interval, p_except bigint[]) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_due bigint[] := due_orders(p_limit, p_grace, p_except);
begin
  if v_due is null then return 0; end if;
  return (select count(*) from close_orders(v_due, null, 'expired', p_shard));
end $$;
