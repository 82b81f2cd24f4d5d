-- The stock of a site in each domain on sale, one index look-up a domain. Null for a site without orders: it can have everything.
create function quantity(p_site integer) returns table (domain_id integer, domain text, price bigint, available bigint)
language sql stable as $$
  select d.id, d.name, case when d.asks_from <= now() then price_of(p_site, d.id, now()) else d.price end, d.live - coalesce(s.taken, 0)
  from mail_domain d
  left join stock s on s.site_id = p_site and s.domain_id = d.id
  where d.enabled and not d.is_sandbox
  order by d.id
$$;
