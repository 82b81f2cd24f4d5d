-- Notes what a hosted mailbox is told apart by; answers it and the living ones that open the same box, the first one first, or nothing.
-- They share a mark that no second box has, or three others, and have no two letters under one number. Locks: box_mark, after an advisory
-- lock on each mark, so that of two that show the same at once the second sees the first.
create function note_marks(
  p_mailbox bigint, p_folder text[], p_validity bigint[], p_uid bigint[], p_mark bytea[], p_personal boolean[]
) returns table (mailbox_id bigint, is_on_sale boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(t.key)
    from (select distinct hashtextextended(encode(m, 'hex'), 0) as key from unnest(p_mark) as m order by key) t;
  insert into box_mark (mailbox_id, folder, uid_validity, uid, mark, is_personal)
    select p_mailbox, t.folder, t.validity, t.uid, t.mark, t.personal
    from unnest(p_folder, p_validity, p_uid, p_mark, p_personal) as t (folder, validity, uid, mark, personal)
    on conflict (mailbox_id, folder, uid_validity, uid) do update
      set mark = excluded.mark, is_personal = excluded.is_personal, seen_at = excluded.seen_at;
  return query
    with other as (
      select o.mailbox_id
      from box_mark m join box_mark o on o.mark = m.mark and o.mailbox_id <> p_mailbox
      join mailbox b on b.id = o.mailbox_id and not b.dead
      where m.mailbox_id = p_mailbox
      group by o.mailbox_id
      having (bool_or(m.is_personal or o.is_personal) or count(*) >= 3)
        and not exists (
          select from box_mark x join box_mark y using (folder, uid_validity, uid)
          where x.mailbox_id = p_mailbox and y.mailbox_id = o.mailbox_id and x.mark <> y.mark))
    select b.id, exists (select from lot l where l.id = b.lot_id)
    from (select other.mailbox_id as id from other union all select p_mailbox where exists (select from other)) same
    join mailbox b on b.id = same.id
    where exists (select from mailbox own where own.id = p_mailbox and not own.dead)
    order by b.id;
end $$;
