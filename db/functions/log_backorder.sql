-- Tells what became of an order that waited for stock. Locks: account (lock the backorder before).
create function log_backorder(p_user bigint, p_backorder bigint, p_status text, p_order bigint) returns void
language plpgsql as $$
declare
  v_balance bigint;
begin
  select a.balance into v_balance from account a where a.user_id = p_user and a.book = 'balance' for update;
  perform log_events('balance', array[p_user], p_order => array[p_order], p_status => array[p_status],
                     p_balance => array[coalesce(v_balance, 0)], p_name => 'backorder', p_backorder => array[p_backorder]);
  perform notify_changes(array[p_user]);
end $$;
