-- Ends the waiting of partners' shares for the investors' shares of these orders, which the caller has locked. After a refund the
-- shop gets them, else the partner, unless a tie to the buyer holds or refuses it; what a tie holds stays where it is.
-- Answers those that move. Locks: partner_tie.
create function end_waiting_shares(p_order bigint[], p_state text, p_now timestamptz) returns share_end[]
language plpgsql as $$
#variable_conflict use_column
declare
  waiting earned_share[];
  ties    partner_tie[];
  ends    share_end[];
begin
  with gone as (delete from partner_share_held where order_id = any (p_order) returning *)
    select array_agg(row(g.order_id, g.buyer_id, g.user_id, g.book || '.held', g.amount)::earned_share order by g.order_id, g.book)
    into waiting from gone g;
  if waiting is null then return '{}'; end if;
  if p_state <> 'refunded' then
    ties := find_account_links(waiting, p_now);
    perform add_to_ties(array(
      select w from unnest(waiting) w
      join unnest(ties) tie on tie.user_id = w.buyer_id and tie.partner_id = w.user_id and tie.state = 'held'));
  end if;
  select array_agg(row(w.order_id, w.user_id, split_part(w.book, '.', 1),
                       case when p_state <> 'refunded' and tie.state is distinct from 'refused' then split_part(w.book, '.', 1) end,
                       w.amount)::share_end)
    into ends
    from unnest(waiting) w
    left join unnest(ties) tie on tie.user_id = w.buyer_id and tie.partner_id = w.user_id
    where tie.state is distinct from 'held';
  return coalesce(ends, '{}');
end $$;
