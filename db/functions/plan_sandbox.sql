-- Saves which letters new sandbox orders will get, in their transaction.
create function plan_sandbox(p_order bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into task (queue, kind, key, user_id, ref, payload, created_at, due_at)
    select 'sandbox', s.kind, site.name, o.user_id, o.id || ' ' || s.kind, jsonb_build_object('order', o.id), o.created_at, o.created_at + s.delay
    from orders o join sandbox_script s on s.site_id = o.site_id join site on site.id = o.site_id
    where o.id = any (p_order);
end $$;
