-- Tells those who listen that a balance is below the threshold that its owner set. The caller holds the account.
create function log_low_balance(p_user bigint, p_balance bigint, p_threshold bigint) returns void
language plpgsql as $$
begin
  perform log_events('balance', array[p_user], p_balance => array[p_balance], p_amount => array[p_threshold], p_name => 'balance_low');
  perform notify_changes(array[p_user]);
end $$;
