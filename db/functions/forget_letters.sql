-- Deletes matched letters that no order got: those for postmasters or the others; answers how many. Locks: letter (unlocked ones).
create function forget_letters(p_until timestamptz, p_postmaster boolean, p_limit integer) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_ids bigint[]; v_from timestamptz; v_last timestamptz;
begin
  if p_postmaster then
    select array_agg(old.id), min(old.arrived_at), max(old.arrived_at) into v_ids, v_from, v_last from (
      select l.id, l.arrived_at from letter l
      where l.is_to_postmaster and not l.is_given and l.arrived_at < p_until and l.judged_at is not null
        and not exists (select from delivery d where d.letter_id = l.id)
      order by l.arrived_at limit p_limit for update skip locked) old;
  else
    select array_agg(old.id), min(old.arrived_at), max(old.arrived_at) into v_ids, v_from, v_last from (
      select l.id, l.arrived_at from letter l
      where not l.is_to_postmaster and not l.is_given and l.arrived_at < p_until and l.judged_at is not null
        and not exists (select from delivery d where d.letter_id = l.id)
      order by l.arrived_at limit p_limit for update skip locked) old;
  end if;
  if v_ids is null then return 0; end if;
  delete from turned_away t where t.letter_id = any (v_ids);
  -- The times exclude the other partitions, each of which is large.
  delete from letter_raw r where r.letter_id = any (v_ids) and r.arrived_at between v_from and v_last;
  delete from recipient r where r.letter_id = any (v_ids);
  delete from letter l where l.id = any (v_ids);
  return cardinality(v_ids);
end $$;
