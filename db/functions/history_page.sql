-- Page p_page (from 1) of all orders of a user. Order numbers have no gap, so any page costs the same.
create function history_page(p_user bigint, p_page integer, p_size integer) returns setof orders
language sql stable rows 10
set enable_seqscan = off
as $$
  select o.* from orders o
  where o.user_id = p_user
    -- An array and not a range: the planner knows that it is short.
    and o.number = any (array(
      select generate_series(b.orders_count - (p_page - 1) * p_size, greatest(b.orders_count - p_page * p_size + 1, 1), -1)
      from buyer b where b.user_id = p_user))
  order by o.number desc
$$;
