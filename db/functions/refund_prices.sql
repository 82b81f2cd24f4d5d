-- Refunds prices from revenue, each for its reason. The caller holds the buyers' accounts, adds up the shop's day and notifies the buyers.
create function refund_prices(p_order bigint[], p_buyer bigint[], p_reason text[], p_now timestamptz) returns void
language plpgsql as $$
#variable_conflict use_column
begin
  insert into transfer (debit, credit, amount, order_id, at, kind)
    select 2, a.id, o.price, o.id, p_now, 'refund'
    from orders o
    join account a on a.user_id = o.user_id and a.book = 'balance'
    where o.id = any (p_order);
  update account a set balance = a.balance + t.price
    from (select o.user_id, sum(o.price)::bigint as price from orders o where o.id = any (p_order) group by o.user_id) t
    where a.user_id = t.user_id and a.book = 'balance';
  update buyer b set revision = b.revision + 1 where b.user_id = any (p_buyer);
  perform log_events('balance', array_agg(o.user_id order by t.place), p_order => array_agg(o.id order by t.place),
                     p_status => array_agg(t.reason order by t.place), p_balance => array_agg(a.balance order by t.place),
                     p_name => 'refund')
    from unnest(p_order, p_reason) with ordinality as t (order_id, reason, place)
    join orders o on o.id = t.order_id
    join account a on a.user_id = o.user_id and a.book = 'balance'
    where o.price > 0;
  perform log_events('balance', array_agg(a.user_id), p_balance => array_agg(a.balance))
    from account a where a.user_id = any (p_buyer) and a.book = 'balance';
end $$;
