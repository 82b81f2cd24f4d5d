-- Page p_page (from 1) of a user's activations. Counters of orders that left the list (buyer_span per 65,536 numbers, buyer_gap per
-- 256) find its block; at most 255 index entries are skipped, so any page costs the same.
create function activations_page(p_user bigint, p_page integer, p_size integer) returns setof orders
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_newest integer;
  v_skip   bigint := (p_page - 1)::bigint * p_size;
  v_span   integer;
  v_block  integer;
  v_page   integer[];
begin
  select orders_count into v_newest from buyer where user_id = p_user;
  if coalesce(v_newest, 0) = 0 then return; end if;

  select t.span, v_skip - (t.upto - t.listed) into v_span, v_skip
    from (
      select t.span, t.listed, sum(t.listed) over (order by t.span desc) as upto
      from (
        select n.span,
               least(v_newest, n.span * 65536 + 65535) - greatest(n.span * 65536, 1) + 1 - coalesce(g.gone, 0) as listed
        from generate_series(v_newest / 65536, 0, -1) as n (span)
        left join buyer_span g on g.user_id = p_user and g.span = n.span) t) t
    where t.upto > v_skip
    order by t.span desc limit 1;
  if v_span is null then return; end if;

  select t.block, v_skip - (t.upto - t.listed) into strict v_block, v_skip
    from (
      select t.block, t.listed, sum(t.listed) over (order by t.block desc) as upto
      from (
        select n.block,
               least(v_newest, n.block * 256 + 255) - greatest(n.block * 256, 1) + 1 - coalesce(g.gone, 0) as listed
        from generate_series(least(v_newest / 256, v_span * 256 + 255), v_span * 256, -1) as n (block)
        left join buyer_gap g on g.user_id = p_user and g.block = n.block
          and g.block between v_span * 256 and v_span * 256 + 255) t) t
    where t.upto > v_skip
    order by t.block desc limit 1;

  -- The numbers come from the index alone; only the rows of the page are fetched.
  select array_agg(t.number) into v_page
    from (
      select o.number from orders o
      where o.user_id = p_user and o.number <= v_block * 256 + 255 and o.status in ('pending', 'received') and not o.hidden
      order by o.number desc offset v_skip limit p_size) t;
  return query
    select o.* from orders o where o.user_id = p_user and o.number = any (v_page) order by o.number desc;
end $$;
