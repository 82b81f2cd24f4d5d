-- Page p_page (from 1) of the orders in a user's list of activations (pending, or received and not hidden), the newest first.
-- buyer_gap says for each 256 orders how many have left the list; adding these up from the newest finds the block in which the
-- page begins, and at most 255 rows of it are skipped. So a far page costs what the first costs, but for one small counter
-- for each 256 orders before it.
create function activations_page(p_user bigint, p_page integer, p_size integer) returns setof orders
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_newest integer;
  v_skip   bigint := (p_page - 1)::bigint * p_size;
  v_before bigint;
  v_block  integer;
begin
  select orders_count into v_newest from buyer where user_id = p_user;
  if coalesce(v_newest, 0) = 0 then return; end if;

  select t.block, t.upto - t.listed into v_block, v_before
    from (
      select t.block, t.listed, sum(t.listed) over (order by t.block desc) as upto
      from (
        select n.block,
               least(v_newest, n.block * 256 + 255) - greatest(n.block * 256, 1) + 1 - coalesce(g.gone, 0) as listed
        from generate_series(v_newest / 256, 0, -1) as n (block)
        left join buyer_gap g on g.user_id = p_user and g.block = n.block) t) t
    where t.upto > v_skip
    order by t.block desc limit 1;
  if v_block is null then return; end if;

  return query
    select o.* from orders o
    where o.user_id = p_user and o.number <= v_block * 256 + 255 and o.status in ('pending', 'received') and not o.hidden
    order by o.number desc offset v_skip - v_before limit p_size;
end $$;
