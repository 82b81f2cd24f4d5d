-- Notifies 'changes' of user ids, separated by commas, maybe repeated, after the commit. A notification holds less than 8,000 bytes.
create function notify_changes(p_user bigint[]) returns void
language plpgsql as $$
declare
  v_first integer;
begin
  for v_first in 1 .. coalesce(cardinality(p_user), 0) by 390 loop
    perform pg_notify('changes', array_to_string(p_user[v_first : v_first + 389], ','));
  end loop;
end $$;
