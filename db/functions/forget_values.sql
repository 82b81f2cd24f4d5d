-- Wipes the oldest matched values of letters delivered before p_until; answers how many. Locks: delivery (unlocked ones).
create function forget_values(p_until timestamptz, p_limit integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_orders bigint[]; v_letters bigint[];
begin
  select array_agg(old.order_id), array_agg(old.letter_id) into v_orders, v_letters from (
    select d.order_id, d.letter_id from delivery d
    where d.value is not null and d.delivered_at < p_until
    order by d.delivered_at limit p_limit for update skip locked) old;
  if v_orders is null then return 0; end if;
  update delivery d set value = null
    from unnest(v_orders, v_letters) as t (order_id, letter_id)
    where d.order_id = t.order_id and d.letter_id = t.letter_id;
  return cardinality(v_orders);
end $$;
