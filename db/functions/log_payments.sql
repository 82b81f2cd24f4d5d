-- Saves changes of payments: increases the users' revisions, notifies and logs events. Locks: account (lock payments before).
create function log_payments(p_user bigint[], p_payment bigint[], p_status text[]) returns void
language plpgsql as $$
begin
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
  update buyer b set revision = b.revision + 1 where b.user_id = any (p_user);
  perform log_events('payment', p_user, p_payment => p_payment, p_status => p_status);
  perform notify_changes(p_user);
end $$;
