-- How many free orders a user may place now: 60 within a minute, 1,000 within a day, 100 that wait, against floods of orders and
-- letters, which are kept. The caller holds the user's balance account.
create function sandbox_room(p_user bigint) returns integer
language sql stable
set enable_seqscan = off
as $$
  select least(
    60 - (select count(*) from orders where user_id = p_user and price = 0 and created_at > clock_timestamp() - interval '1 minute'),
    1000 - (select count(*) from orders where user_id = p_user and price = 0 and created_at > clock_timestamp() - interval '1 day'),
    100 - (select count(*) from orders where user_id = p_user and price = 0 and status = 'pending'))::integer
$$;
