-- Notes the terms of the letters of the next p_limit orders from before order_term; answers how many. Locks: order_term_fill, order_term (new rows alone).
create function fill_terms(p_limit integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_fill    order_term_fill;
  v_orders  bigint[];
  v_letters bigint[];
begin
  update order_term_fill set last_id = coalesce(last_id, (select last_value from orders_id_seq)) returning * into v_fill;
  if v_fill.next_id > v_fill.last_id then return 0; end if;
  select array_agg(t.id order by t.id) into v_orders
    from (select o.id from orders o where o.id between v_fill.next_id and v_fill.last_id order by o.id limit p_limit) t;
  update order_term_fill set next_id = coalesce(v_orders[cardinality(v_orders)], last_id) + 1;
  if v_orders is null then return 0; end if;
  v_letters := array(select d.letter_id from delivery d where d.order_id = any (v_orders));
  perform note_terms(v_letters);
  return cardinality(v_orders);
end $$;
