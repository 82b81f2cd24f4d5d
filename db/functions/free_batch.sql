-- Removes the mailboxes of a refused batch of which nothing opened, so that their addresses can be brought once more. Nothing, and
-- null, where p_rested is false and one of them was freed before. Answers how many. Locks: batch.
create function free_batch(p_batch integer, p_rested boolean, p_now timestamptz) returns integer
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_count integer;
begin
  perform 1 from batch where id = p_batch for update;
  if not p_rested and exists (
    select from held_lot h join mailbox m on m.id between h.first_id and h.last_id
      join freed_address f on f.domain_id = m.domain_id and f.local_part = m.local_part
    where h.batch_id = p_batch) then
    return null;
  end if;
  with gone as (
    delete from mailbox m using held_lot h where h.batch_id = p_batch and m.id between h.first_id and h.last_id
    returning m.domain_id, m.local_part
  )
  insert into freed_address (domain_id, local_part, freed_at) select domain_id, local_part, p_now from gone
    on conflict (domain_id, local_part) do update set freed_at = excluded.freed_at;
  get diagnostics v_count = row_count;
  delete from held_lot where batch_id = p_batch;
  return v_count;
end $$;
