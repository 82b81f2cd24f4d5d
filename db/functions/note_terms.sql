-- Notes what these delivered letters are found by: words of the subject, and the code. Locks: order_term, new rows alone.
create function note_terms(p_letter bigint[]) returns void
language sql
set enable_seqscan = off
as $$
  insert into order_term (user_id, term, number, code_at)
    -- A code that stands in the subject too stays as long as that.
    select o.user_id, t.term, o.number, case when bool_and(t.code_at is not null) then max(t.code_at) end
    from unnest(p_letter) as given (id)
    join letter l on l.id = given.id
    join delivery d on d.letter_id = l.id
    join orders o on o.id = d.order_id
    left join letter_body b on b.letter_id = l.id and b.arrived_at = l.arrived_at
    cross join lateral terms_of(l.subject, coalesce(d.value, ''), coalesce(b.code, ''), d.delivered_at) t
    group by o.user_id, o.number, t.term
    order by o.user_id, t.term, o.number
    on conflict do nothing
$$;
