-- The price of a mail domain at a moment: that of the site (null: none is meant), else that of all sites.
create function price_of(p_site integer, p_domain integer, p_at timestamptz) returns bigint
language sql stable as $$
  select coalesce(
    (select p.price from price p
     where p.domain_id = p_domain and p.site_id = p_site and p.undone_at is null and p.from_at <= p_at
     order by p.from_at desc, p.id desc limit 1),
    (select p.price from price p
     where p.domain_id = p_domain and p.site_id is null and p.undone_at is null and p.from_at <= p_at
     order by p.from_at desc, p.id desc limit 1),
    (select d.price from mail_domain d where d.id = p_domain))
$$;
