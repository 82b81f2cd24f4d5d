-- Notes the codes that these delivered letters are found by. Locks: order_term, new rows alone.
create function note_terms(p_letter bigint[]) returns void
language sql
set enable_seqscan = off
as $$
  insert into order_term (user_id, term, number, code_at)
    select distinct on (o.user_id, t.term, o.number) o.user_id, t.term, o.number, d.delivered_at
    from unnest(p_letter) as given (id)
    join letter l on l.id = given.id
    join delivery d on d.letter_id = l.id
    join orders o on o.id = d.order_id
    left join lateral body_of(l.id, l.arrived_at) b on true
    cross join lateral (select left(lower(f.code), 64) as term from (values (d.value), (b.code)) as f (code) where f.code <> '') t
    order by o.user_id, t.term, o.number, d.delivered_at desc
    on conflict do nothing
$$;
