-- The orders with a signed letter: by a domain of the site, over recipient and date, not older than the order. Else the mailbox's
-- owner could replay a genuine letter.
create function proved_orders(p_order bigint[]) returns setof bigint
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    select distinct o.id
    from orders o
    join delivery d on d.order_id = o.id
    join letter l on l.id = d.letter_id
    where o.id = any (p_order) and l.dkim_addressed <> '{}' and l.dated_at > o.created_at - interval '15 minutes'
      and (exists (select from site s where s.id = o.site_id and s.name = any (l.dkim_addressed))
        or exists (select from site_sender x where x.site_id = o.site_id and x.domain = any (l.dkim_addressed)));
end $$;
