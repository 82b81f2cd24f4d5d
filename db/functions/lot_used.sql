-- How many living mailboxes of a lot the site has now. Reorders use the mailbox of their first order and are not counted.
create function lot_used(p_site integer, p_lot integer) returns bigint
language sql stable as $$
  select count(*)
  from lot l
  join mailbox m on m.id between l.first_id and l.last_id and not m.dead
  join orders o on o.mailbox_id = m.id and o.site_id = p_site and o.status in ('pending', 'received') and o.reorder_of is null
  where l.id = p_lot
$$;
