-- Writes events of watched users. p_name: the name of a kind that event_kind does not have; programs of the release before tell it as
-- p_kind. The caller holds their balance accounts, so that event ids grow in the order of the commits.
create function log_events(
  p_kind event_kind, p_user bigint[], p_order bigint[] default null, p_letter bigint[] default null,
  p_payment bigint[] default null, p_status text[] default null, p_balance bigint[] default null,
  p_name text default null, p_amount bigint[] default null, p_backorder bigint[] default null
) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if not exists (select 1 from buyer b where b.user_id = any (p_user) and b.watched_until > clock_timestamp()) then
    return;
  end if;
  insert into event (user_id, kind, name, order_id, letter_id, payment_id, status, balance, amount, backorder_id)
    select t.user_id, p_kind, p_name, t.order_id, t.letter_id, t.payment_id, t.status, t.balance, t.amount,
           t.backorder_id
    from unnest(p_user, p_order, p_letter, p_payment, p_status, p_balance, p_amount, p_backorder)
      with ordinality as t (user_id, order_id, letter_id, payment_id, status, balance, amount, backorder_id, place)
    join buyer b on b.user_id = t.user_id and b.watched_until > clock_timestamp()
    order by t.place;
end $$;
