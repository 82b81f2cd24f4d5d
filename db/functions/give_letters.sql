-- Delivers letters to living orders whose time was not over when the letter arrived. Answers the new pairs, or null. Locks: orders.
create function give_letters(p_letter bigint[], p_order bigint[], p_value text[], p_now timestamptz) returns given_letter[]
language plpgsql as $$
#variable_conflict use_column
declare
  given given_letter[];
begin
  perform 1 from orders o where o.id = any (p_order) and o.status in ('pending', 'received') order by o.id for update;
  with new as (
    insert into delivery (order_id, letter_id, value, delivered_at)
      select o.id, l.id, min(t.value), p_now
      from unnest(p_letter, p_order, p_value) as t (letter_id, order_id, value)
      join orders o on o.id = t.order_id and o.status in ('pending', 'received')
      join letter l on l.id = t.letter_id and l.arrived_at < o.expires_at
      group by o.id, l.id
      on conflict do nothing
      returning order_id, letter_id
  )
  select array_agg(row(t.*)::given_letter order by t.letter_id, t.order_id) into given
    from (select new.order_id, new.letter_id, o.user_id,
                 o.status = 'pending' and row_number() over (partition by new.order_id order by new.letter_id) = 1
          from new join orders o on o.id = new.order_id) t;
  return given;
end $$;
