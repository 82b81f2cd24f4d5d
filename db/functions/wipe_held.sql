-- Wipes the passwords of a refused batch. Its mailboxes stay, dead, so that none can be uploaded again. Locks: batch.
create function wipe_held(p_batch integer) returns integer
language plpgsql
as $$
declare
  v_count integer;
begin
  perform 1 from batch where id = p_batch for update;
  update mailbox m set dead = true, secret = null
    from held_lot h where h.batch_id = p_batch and m.id between h.first_id and h.last_id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
