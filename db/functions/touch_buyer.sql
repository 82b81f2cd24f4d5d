-- Invalidates a buyer's lists after a change without money. Locks: account.
create function touch_buyer(p_user bigint) returns void
language plpgsql as $$
begin
  perform 1 from account where user_id = p_user and book = 'balance' for update;
  update buyer set revision = revision + 1 where user_id = p_user;
  perform notify_changes(array[p_user]);
end $$;
