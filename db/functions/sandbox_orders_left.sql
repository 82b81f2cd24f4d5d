-- Free orders a user may still place: 60 within a minute, 1,000 within a day, 100 that wait. The caller holds the balance account.
create function sandbox_orders_left(p_user bigint) returns integer
language sql stable
set enable_seqscan = off
as $$
  select least(
    60 - (select count(*) from orders where user_id = p_user and price = 0 and created_at > clock_timestamp() - interval '1 minute'),
    1000 - (select count(*) from orders where user_id = p_user and price = 0 and created_at > clock_timestamp() - interval '1 day'),
    100 - (select count(*) from orders where user_id = p_user and price = 0 and status = 'pending'))::integer
$$;
