-- Records the events of these users until p_until at least. Answers for each `since`, after which none is missing, and `newest`:
-- events up to it are committed, later ones are greater. Locks: account.
create function watch(p_user bigint[], p_until timestamptz) returns table (user_id bigint, since bigint, newest bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_at     timestamptz;
  v_newest bigint;
begin
  perform open_accounts(array_agg(users.id), array_agg('balance'::text))
    from users
    where users.id = any (p_user) and not exists (select 1 from account a where a.user_id = users.id and a.book = 'balance')
    having count(*) > 0;
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;

  -- A user who was not watched has a gap in the events. Takes an id for it: a place before the gap is then less than `since`.
  v_at := clock_timestamp();
  if exists (select 1 from buyer b where b.user_id = any (p_user) and b.watched_until <= v_at) then
    perform nextval('event_id');
  end if;
  -- Writers of events hold these accounts, so their ids were taken before or after this.
  select case when is_called then last_value else last_value - 1 end into v_newest from event_id;
  update buyer b
    set watched_since = case when b.watched_until > v_at then b.watched_since else v_newest end,
        watched_until = greatest(b.watched_until, p_until)
    where b.user_id = any (p_user);
  return query select b.user_id, b.watched_since, v_newest from buyer b where b.user_id = any (p_user);
end $$;
