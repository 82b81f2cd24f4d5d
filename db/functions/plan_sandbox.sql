-- Saves which letters new sandbox orders will get, in their transaction.
create function plan_sandbox(p_order bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into sandbox_letter (order_id, kind, due_at)
    select o.id, s.kind, o.created_at + s.delay
    from orders o join sandbox_script s on s.site_id = o.site_id
    where o.id = any (p_order);
end $$;
