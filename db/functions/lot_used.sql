-- Living mailboxes of a lot sold to the site. Nested loops alone: a plan of a small shop must never scan a large one.
create function lot_used(p_site integer, p_lot integer) returns bigint
language sql stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select count(*)
  from lot l
  join orders o on o.mailbox_id between l.first_id and l.last_id and o.site_id = p_site
    and o.status in ('pending', 'received') and o.reorder_of is null
  join mailbox m on m.id = o.mailbox_id and not m.dead
  where l.id = p_lot
$$;
