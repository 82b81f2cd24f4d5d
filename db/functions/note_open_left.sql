-- Notes how many more paid orders of each buyer may be open. A statement after the locks: it sees what committed while they were waited for.
create function note_open_left(p_buyers batch_buyer[], p_open integer) returns batch_buyer[]
language plpgsql as $$
begin
  return array(
    select row(t.user_id, t.account_id, t.may_order, t.balance, t.free_left,
               -- Few open orders need no count; when there are more, open_orders_left counts.
               case when b.open_max_at > clock_timestamp() - interval '10 minutes' then b.open_max else p_open / 5 end - b.waiting_count,
               t.spent, t.placed)::batch_buyer
    from unnest(p_buyers) with ordinality t
    left join buyer b on b.user_id = t.user_id
    order by t.ordinality);
end $$;
