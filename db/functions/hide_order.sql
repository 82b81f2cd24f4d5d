-- Takes a received order from its buyer's list of activations; nothing is refunded and the history keeps it (product.md).
-- Answers 'activation canceled', or why not. Locks: orders, account.
create function hide_order(p_user bigint, p_order bigint) returns text
language plpgsql as $$
declare
  v_order orders%rowtype;
begin
  select * into v_order from orders where id = p_order and user_id = p_user for update;
  if not found then
    return 'no activation';
  end if;
  if v_order.status <> 'received' or v_order.hidden then
    return 'activation already canceled';
  end if;
  perform 1 from account where user_id = p_user and book = 'balance' for update;
  update orders set hidden = true where id = p_order;
  perform leave_list(array[p_user], array[v_order.number]);
  perform log_events('activation', array[p_user], p_order => array[p_order], p_status => array['canceled']);
  perform tell(array[p_user]);
  return 'activation canceled';
end $$;
