-- Frees idempotency keys of orders older than p_key_life (a day). Locks: orders. Call it before all other locks.
create function free_keys(p_user bigint[], p_key text[], p_key_life interval) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_old bigint[];
begin
  select array_agg(o.id) into v_old from (
    select o.id from unnest(p_user, p_key) as t (user_id, key)
      join orders o on o.user_id = t.user_id and o.idempotency_key = t.key
    where o.created_at <= clock_timestamp() - p_key_life
    order by o.id for update of o) o;
  if v_old is not null then
    update orders set idempotency_key = null where id = any (v_old);
  end if;
end $$;
