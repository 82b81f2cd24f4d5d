-- Deletes the oldest codes of order_term that were delivered before p_until; answers how many. Locks: order_term (unlocked ones).
create function forget_codes(p_until timestamptz, p_limit integer) returns integer
language sql
set enable_seqscan = off
as $$
  with old as (
    select t.user_id, t.term, t.number from order_term t
    where t.code_at < p_until order by t.code_at limit p_limit for update skip locked),
  gone as (
    delete from order_term t using old where t.user_id = old.user_id and t.term = old.term and t.number = old.number returning 1)
  select count(*)::integer from gone
$$;
