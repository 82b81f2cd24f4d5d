-- Removes orders from the counters of the activations, with p_waited of waiting ones. The caller holds the balance accounts.
create function leave_list(p_user bigint[], p_number integer[], p_waited boolean) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into buyer_gap as old (user_id, block, gone)
    select t.user_id, t.number / 256, count(*)
    from unnest(p_user, p_number) as t (user_id, number)
    group by 1, 2 order by 1, 2
    on conflict (user_id, block) do update set gone = old.gone + excluded.gone;
  insert into buyer_span as old (user_id, span, gone)
    select t.user_id, t.number / 65536, count(*)
    from unnest(p_user, p_number) as t (user_id, number)
    group by 1, 2 order by 1, 2
    on conflict (user_id, span) do update set gone = old.gone + excluded.gone;
  update buyer b set gone_count = b.gone_count + t.count, revision = b.revision + 1,
                     waiting_count = b.waiting_count - case when p_waited then t.count else 0 end
    from (select user_id, count(*)::integer from unnest(p_user) as t (user_id) group by user_id) t
    where b.user_id = t.user_id;
end $$;
