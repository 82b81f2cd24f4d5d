-- Hides received orders of their own buyers (p_user beside p_order). One answer for each ask, in order, with the balance: 'activation
-- canceled', which is also the event, or a refusal. Locks: orders, account.
create function hide_orders(p_order bigint[], p_user bigint[]) returns table (ask integer, answer text, balance bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  o_id bigint[]; o_user bigint[]; o_number integer[]; r_answer text[];
begin
  perform 1 from orders o where o.id = any (p_order) order by o.id for update;
  -- Of two asks for one order the second is refused.
  select array_agg(case when o.id is null then 'no activation'
                        when o.status = 'received' and not o.hidden and t.turn = 1 then 'activation canceled'
                        else 'activation already canceled' end order by t.ask),
         array_agg(o.id order by o.id) filter (where o.status = 'received' and not o.hidden and t.turn = 1),
         array_agg(o.user_id order by o.id) filter (where o.status = 'received' and not o.hidden and t.turn = 1),
         array_agg(o.number order by o.id) filter (where o.status = 'received' and not o.hidden and t.turn = 1)
    into r_answer, o_id, o_user, o_number
    from (select t.*, row_number() over (partition by t.order_id, t.user_id order by t.ask) as turn
          from unnest(p_order, p_user) with ordinality as t (order_id, user_id, ask)) t
    left join orders o on o.id = t.order_id and o.user_id = t.user_id;
  if o_id is not null then
    perform 1 from account a where a.user_id = any (o_user) and a.book = 'balance' order by a.id for update;
    update orders o set hidden = true where o.id = any (o_id);
    perform leave_list(o_user, o_number, false);
    perform log_events('activation', o_user, p_order => o_id, p_status => array_fill('canceled'::text, array[cardinality(o_id)]));
    perform notify_changes(o_user);
  end if;
  return query
    select t.ask::integer, t.answer, a.balance
    from unnest(r_answer, p_user) with ordinality as t (answer, user_id, ask)
    left join account a on a.user_id = t.user_id and a.book = 'balance'
    order by t.ask;
end $$;
