-- A user's orders of these numbers.
create function numbered_orders(p_user bigint, p_numbers integer[]) returns setof orders
language sql stable rows 10
set enable_seqscan = off
as $$
  select o.* from orders o where o.user_id = p_user and o.number = any (p_numbers) order by o.number desc
$$;
